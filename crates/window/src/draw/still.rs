//! Shapes that stay as they are for many frames: they become triangles once, and not in every frame.

use std::sync::Arc;

use egui::epaint::{Mesh, TessellationOptions, Tessellator};
use egui::{Id, Painter, Shape};

/// The shapes of a frame, with what their triangles depend on besides.
#[derive(Clone)]
struct Kept {
    shapes: Arc<Vec<Shape>>,
    pixels_per_point: f32,
    options: TessellationOptions,
    mesh: Arc<Mesh>,
}

/// Draws every shape as itself in this context. Pictures that keep lines as lines need it.
pub fn never_in(ctx: &egui::Context) {
    ctx.data_mut(|data| data.insert_temp(never(), true));
}

/// Whether this context draws a single picture. Then no shapes are kept for a next frame, and animations stand still.
pub fn is_never_in(ctx: &egui::Context) -> bool {
    ctx.data(|data| data.get_temp(never())).unwrap_or(false)
}

fn never() -> Id {
    Id::unique("shapes as themselves")
}

/// Paints lines and rectangles. Shapes that are those of the frame before are not made into triangles again.
///
/// Texts and circles have pixels of a texture that changes, and must be painted for themselves.
pub fn paint(painter: &Painter, id: Id, shapes: Vec<Shape>) {
    let ctx = painter.ctx();
    if is_never_in(ctx) {
        painter.extend(shapes);
        return;
    }
    let (pixels_per_point, options) =
        (painter.pixels_per_point(), ctx.tessellation_options(|it| *it));
    let kept: Option<Kept> = ctx.data(|data| data.get_temp(id));
    let kept = kept.filter(|kept| {
        (kept.pixels_per_point, kept.options) == (pixels_per_point, options)
            && *kept.shapes == shapes
    });
    let mesh = kept.map(|kept| kept.mesh).unwrap_or_else(|| {
        // Lines and rectangles use one white pixel of the texture of fonts, wherever its others are.
        let mut tessellator = Tessellator::new(pixels_per_point, options, [1, 1], Vec::new());
        let mut mesh = Mesh::default();
        for shape in &shapes {
            tessellator.tessellate_shape(shape.clone(), &mut mesh);
        }
        let mesh = Arc::new(mesh);
        let shapes = Arc::new(shapes);
        let kept = Kept { shapes, pixels_per_point, options, mesh: mesh.clone() };
        ctx.data_mut(|data| data.insert_temp(id, kept));
        mesh
    });
    painter.add(Shape::Mesh(mesh));
}
