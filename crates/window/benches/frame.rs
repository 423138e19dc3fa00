//! The processor's time for a frame of the window: layout and tessellation, without drawing pixels.

use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Context, Rect, pos2, vec2};
use lightloom::TorId;
use lightloom_window::Window;
use lightloom_window::command::{Command, Selection};
use lightloom_window::draw::camera::Camera;
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;

/// One frame. Returns the number of vertices, so that nothing is left out.
fn frame(ctx: &Context, window: &mut Window) -> usize {
    let input = egui::RawInput {
        screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 860.0))),
        ..egui::RawInput::default()
    };
    let mut output = ctx.run_ui(input, |ui| window.show(ui));
    // Nothing draws them.
    output.textures_delta.clear();
    let drawn = ctx.tessellate(output.shapes, output.pixels_per_point);
    drawn
        .iter()
        .map(|clipped| match &clipped.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
            egui::epaint::Primitive::Callback(_) => 0,
        })
        .sum()
}

/// A window with the shipped hall of 1,024 racks, when all answers are there.
fn window(ctx: &Context) -> Window {
    let mut window = Window::new(ctx, Unsaved::default());
    window.open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hall-1024.toml"));
    window.state.apply(Command::AllFibres(true));
    window.state.apply(Command::Select(Selection::Tor(TorId(0))));
    settle(ctx, &mut window);
    window
}

fn settle(ctx: &Context, window: &mut Window) {
    for _ in 0..20 {
        loop {
            frame(ctx, window);
            if !window.is_busy() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn frames(criterion: &mut Criterion) {
    let ctx = Context::default();
    let mut window = window(&ctx);
    for panel in [Panel::Fabric, Panel::Hall] {
        window.state.apply(Command::Show(panel));
        settle(&ctx, &mut window);
        let name = panel.title();
        criterion.bench_function(&format!("frame/{name}/idle"), |bench| {
            bench.iter(|| black_box(frame(&ctx, &mut window)));
        });
        let scale = if panel == Panel::Fabric { 1.4 } else { 12.0 };
        let mut camera = Camera { centre: pos2(100.0, 100.0), scale };
        criterion.bench_function(&format!("frame/{name}/panning"), |bench| {
            bench.iter(|| {
                camera = camera.panned(vec2(1.0, 0.5));
                window.state.apply(Command::Look(panel, camera));
                black_box(frame(&ctx, &mut window))
            });
        });
    }
}

criterion_group!(benches, frames);
criterion_main!(benches);
