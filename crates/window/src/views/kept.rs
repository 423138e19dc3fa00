//! What a panel works out of an answer for drawing, kept from frame to frame.

use std::sync::Arc;

use egui::{Id, Ui};

/// What `make` makes of `key`. It is made again when the key changes.
pub fn kept<K, T>(ui: &Ui, id: Id, key: K, make: impl FnOnce(&K) -> T) -> Arc<T>
where
    K: PartialEq + Send + Sync + 'static,
    T: Send + Sync + 'static,
{
    let last: Option<Arc<(K, Arc<T>)>> = ui.data(|data| data.get_temp(id));
    if let Some(last) = last
        && last.0 == key
    {
        return last.1.clone();
    }
    let made = Arc::new(make(&key));
    ui.data_mut(|data| data.insert_temp(id, Arc::new((key, made.clone()))));
    made
}
