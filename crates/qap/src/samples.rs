//! Small problems for tests.

use proptest::prelude::*;

use crate::tabu::Dense;

/// Problems of up to eight facilities, with any flows and distances.
pub(crate) fn problems() -> impl Strategy<Value = Dense> {
    (1_usize..9).prop_flat_map(|size| {
        let matrix = prop::collection::vec(-9_i64..60, size * size);
        (Just(size), matrix.clone(), matrix).prop_map(|(size, flows, distances)| {
            Dense::new(size, flows, distances).expect("it is square")
        })
    })
}

/// The least cost of all orders.
pub(crate) fn least(problem: &Dense) -> i64 {
    let mut least = i64::MAX;
    let mut order: Vec<u32> = (0..u32::try_from(problem.size()).unwrap()).collect();
    orders(&mut order, 0, &mut |order| least = least.min(problem.cost(order)));
    least
}

fn orders(order: &mut Vec<u32>, fixed: usize, look: &mut impl FnMut(&[u32])) {
    if fixed == order.len() {
        look(order);
    }
    for at in fixed..order.len() {
        order.swap(fixed, at);
        orders(order, fixed + 1, look);
        order.swap(fixed, at);
    }
}
