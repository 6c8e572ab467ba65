//! The file of a budget: locked while it changes, and replaced as a whole.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{self, Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::account::{Account, MAX_BYTES, Unreadable};
use super::day::Day;
use super::error::BudgetError;

/// How long to wait for the lock. A process that is well holds it for some milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Short, so that the [`PAUSE`] of another process is not missed.
const POLL: Duration = Duration::from_millis(1);

/// How long a process leaves the lock alone after an update. Those who wait for it stand in no
/// order, so one that has much to count would else keep the others out.
pub(super) const PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(super) struct BudgetFile {
    path: PathBuf,
    patience: Duration,
}

impl BudgetFile {
    /// A relative path stays one of the folder the process is in now.
    pub(super) fn new(path: &Path) -> Self {
        let path = path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { path, patience: PATIENCE }
    }

    #[cfg(test)]
    pub(super) fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The account of `today`.
    pub(super) fn read(&self, today: Day) -> Result<Account, BudgetError> {
        let bytes = locate(&self.path).and_then(|file| contents(&file));
        let Some(bytes) = bytes.map_err(self.failed("read"))? else {
            return Ok(Account::new(today));
        };
        let account = Account::parse(&bytes).map_err(|error| match error {
            Unreadable::Corrupt(problem) => BudgetError::corrupt(&self.path, problem),
            Unreadable::Newer(version) => BudgetError::newer(&self.path, version),
        })?;
        account.on(today).ok_or_else(|| BudgetError::ahead(&self.path, account.day, today))
    }

    /// Changes the account of `today`, while no other process does.
    pub(super) fn update<T>(
        &self,
        today: Day,
        change: impl FnOnce(&mut Account) -> T,
    ) -> Result<T, BudgetError> {
        let file = locate(&self.path).map_err(self.failed("read"))?;
        let _lock = self.lock(&file)?;
        let before = self.read(today)?;
        let mut account = before;
        let value = change(&mut account);
        if account != before {
            let text = account.to_json().map_err(io::Error::from);
            text.and_then(|text| replace(&file, &text)).map_err(self.failed("write"))?;
        }
        Ok(value)
    }

    /// The lock is on a file of its own, which stays: the budget file is a new one each time. It
    /// goes with the file that is returned, or with the process.
    fn lock(&self, file: &Path) -> Result<File, BudgetError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let lock = options.open(beside(file, ".lock")).map_err(self.failed("lock"))?;
        let begun = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::Error(cause)) => return Err(self.failed("lock")(cause)),
                Err(TryLockError::WouldBlock) if begun.elapsed() < self.patience => {
                    thread::sleep(POLL);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(BudgetError::locked(&self.path, self.patience));
                }
            }
        }
    }

    fn failed(&self, action: &'static str) -> impl Fn(io::Error) -> BudgetError {
        move |cause| BudgetError::access(action, &self.path, cause)
    }
}

/// The file itself where `path` is a link to it: what is renamed to a link takes its place.
fn locate(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(file) if fs::metadata(&file)?.is_file() => Ok(file),
        Ok(_) => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
        Err(missing) if missing.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => locate(&path.parent().unwrap_or(Path::new("")).join(target)),
            Err(_) if path.file_name().is_some() => Ok(path.to_owned()),
            Err(_) => Err(missing),
        },
        Err(error) => Err(error),
    }
}

/// What is in a file, if it is there.
fn contents(file: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(file) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Puts `text` in the place of what is in `file`, so that a reader and a crash find one or the other.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let new = beside(file, ".new");
    // Left by a process that was killed. It is made anew, as it could be a link to anywhere.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let permissions = permissions_to_keep(file)?;
    let mut draft = OpenOptions::new().write(true).create_new(true).open(&new)?;
    if let Some(permissions) = permissions {
        draft.set_permissions(permissions)?;
    }
    draft.write_all(text.as_bytes())?;
    draft.sync_all()?;
    drop(draft);
    fs::rename(&new, file)?;
    sync_folder(file)
}

/// A rename asks nobody: a file that is marked read-only would be replaced like any other.
fn permissions_to_keep(file: &Path) -> io::Result<Option<Permissions>> {
    match fs::metadata(file) {
        Ok(old) if old.permissions().readonly() => {
            Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"))
        }
        Ok(old) => Ok(Some(old.permissions())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a rename outlast a loss of power. Some file systems cannot, and some folders may be
/// written but not opened.
#[cfg(unix)]
fn sync_folder(file: &Path) -> io::Result<()> {
    use ErrorKind::{InvalidInput, PermissionDenied, Unsupported};

    let Some(folder) = file.parent() else { return Ok(()) };
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if !matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
