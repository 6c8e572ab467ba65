//! State that tools share: one value a type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Values by their type, cheap to clone. What was given as an `Arc` is found by what is in it too.
#[derive(Clone, Default)]
pub(crate) struct StateMap(Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl StateMap {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        Arc::make_mut(&mut self.0).insert(TypeId::of::<T>(), Arc::new(value));
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.given::<T>().or_else(|| self.given::<Arc<T>>().map(|shared| &**shared))
    }

    pub(crate) fn get_arc<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        if let Some(shared) = self.given::<Arc<T>>() {
            return Some(Arc::clone(shared));
        }
        Arc::clone(self.0.get(&TypeId::of::<T>())?).downcast().ok()
    }

    fn given<T: 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

impl fmt::Debug for StateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateMap").field("values", &self.0.len()).finish()
    }
}
