//! Draws what egui wants drawn without a graphics processor: for pictures that are exported, and for tests. The same
//! input gives the same bytes on every machine.
//!
//! The published software renderers have limits below a window's size, or are made for another egui.

use std::collections::BTreeMap;

use egui::epaint::{ImageData, Primitive, Vertex};
use egui::{Color32, Context, FullOutput, Pos2, Rect, TextureId, TexturesDelta, Vec2, pos2};

/// A picture: its size in pixels, and four bytes for each pixel, premultiplied.
#[derive(Debug, Clone)]
pub struct Pixels {
    /// Width and height.
    pub size: [usize; 2],
    /// The pixels, row by row.
    pub pixels: Vec<Color32>,
}

/// Draws frames of one context.
#[derive(Debug, Default)]
pub struct Soft {
    textures: BTreeMap<TextureId, Pixels>,
}

impl Soft {
    /// Takes new and changed textures.
    #[allow(clippy::iter_over_hash_type, reason = "each texture is changed by itself")]
    pub fn take_textures(&mut self, delta: &mut TexturesDelta) {
        let mut delta = std::mem::take(delta);
        for (id, changes) in delta.set.drain() {
            for change in changes {
                let ImageData::Color(image) = &change.image;
                match (change.pos, self.textures.get_mut(&id)) {
                    (Some([x, y]), Some(texture)) => texture.put(x, y, image.size, &image.pixels),
                    _ => {
                        let new = Pixels { size: image.size, pixels: image.pixels.clone() };
                        self.textures.insert(id, new);
                    }
                }
            }
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    /// The texture of this number. `None`: there is none.
    pub fn texture(&self, id: TextureId) -> Option<&Pixels> {
        self.textures.get(&id)
    }

    /// Draws a frame of this size, in points.
    ///
    /// # Errors
    /// A message if the frame has a callback, which only a graphics processor draws.
    pub fn draw(&self, ctx: &Context, output: &FullOutput, size: Vec2) -> Result<Pixels, String> {
        self.draw_on(ctx, output, size, ctx.global_style().visuals.panel_fill)
    }

    /// Draws a frame of this size, in points, on a ground.
    ///
    /// # Errors
    /// A message if the frame has a callback, which only a graphics processor draws.
    pub fn draw_on(
        &self,
        ctx: &Context,
        output: &FullOutput,
        size: Vec2,
        ground: Color32,
    ) -> Result<Pixels, String> {
        let scale = output.pixels_per_point;
        let size = [whole(size.x * scale), whole(size.y * scale)];
        let mut picture = Pixels { size, pixels: vec![ground; size[0] * size[1]] };
        for clipped in ctx.tessellate(output.shapes.clone(), scale) {
            let Primitive::Mesh(mesh) = &clipped.primitive else {
                return Err("a frame has a callback, which only a graphics processor draws".into());
            };
            let clip = clipped.clip_rect;
            let clip = [
                [whole(clip.min.x * scale), whole(clip.min.y * scale)],
                [whole(clip.max.x * scale).min(size[0]), whole(clip.max.y * scale).min(size[1])],
            ];
            let texture = self.textures.get(&mesh.texture_id);
            for triangle in mesh.indices.chunks_exact(3) {
                let mut corners = [0, 1, 2].map(|corner| mesh.vertices[triangle[corner] as usize]);
                for corner in &mut corners {
                    corner.pos *= scale;
                }
                picture.triangle(corners, clip, texture);
            }
        }
        Ok(picture)
    }
}

impl Pixels {
    /// The picture as PNG.
    ///
    /// # Errors
    /// A message if it is empty.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        let [width, height] = self.size.map(|side| u32::try_from(side).unwrap_or(0));
        let size = tiny_skia::IntSize::from_wh(width, height).ok_or("the picture is empty")?;
        let map = tiny_skia::Pixmap::from_vec(self.bytes(), size)
            .ok_or("the picture has another size")?;
        map.encode_png().map_err(|error| error.to_string())
    }

    /// A part of the picture, multiplied by a colour. `uv` is the part in shares of its size.
    pub fn part(&self, uv: Rect, tint: Color32) -> Self {
        let [width, height] = self.size;
        let range = |from: f32, to: f32, side: usize| {
            let end = whole((to * real(side)).ceil()).min(side);
            whole(from * real(side)).min(end)..end
        };
        let columns = range(uv.min.x, uv.max.x, width);
        let rows = range(uv.min.y, uv.max.y, height);
        let size = [columns.len(), rows.len()];
        let mut pixels = Vec::with_capacity(size[0] * size[1]);
        for row in rows {
            let row = &self.pixels[row * width..][columns.clone()];
            pixels.extend(row.iter().map(|pixel| *pixel * tint));
        }
        Self { size, pixels }
    }

    /// Red, green, blue and alpha of each pixel, premultiplied.
    pub fn bytes(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(Color32::to_array).collect()
    }

    /// Replaces a part.
    fn put(&mut self, x: usize, y: usize, size: [usize; 2], pixels: &[Color32]) {
        for (number, row) in pixels.chunks_exact(size[0].max(1)).enumerate() {
            let start = (y + number) * self.size[0] + x;
            self.pixels[start..start + size[0]].copy_from_slice(row);
        }
    }

    /// The colour at a point of a texture, mixed from the four nearest.
    fn at(&self, uv: Pos2) -> [f32; 4] {
        let [width, height] = self.size;
        let place = |share: f32, side: usize| {
            let at = (share * real(side) - 0.5).clamp(0.0, real(side - 1));
            let low = whole(at.floor());
            (low, (low + 1).min(side - 1), at - at.floor())
        };
        let (left, right, x) = place(uv.x, width);
        let (top, bottom, y) = place(uv.y, height);
        let four = [
            (left, top, (1.0 - x) * (1.0 - y)),
            (right, top, x * (1.0 - y)),
            (left, bottom, (1.0 - x) * y),
            (right, bottom, x * y),
        ];
        let mut sum = [0.0; 4];
        for (x, y, weight) in four {
            for (channel, value) in sum.iter_mut().zip(self.pixels[y * width + x].to_array()) {
                *channel += weight * f32::from(value) / 255.0;
            }
        }
        sum
    }

    /// Blends a triangle over the picture. A pixel belongs to it if its middle does.
    fn triangle(&mut self, corners: [Vertex; 3], clip: [[usize; 2]; 2], texture: Option<&Self>) {
        let [a, mut b, mut c] = corners;
        let mut area = cross(a.pos, b.pos, c.pos);
        if area < 0.0 {
            std::mem::swap(&mut b, &mut c);
            area = -area;
        }
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let (low, high) = (a.pos.min(b.pos).min(c.pos), a.pos.max(b.pos).max(c.pos));
        let [[left, top], [right, bottom]] = clip;
        let columns = whole(low.x).max(left)..(whole(high.x) + 1).min(right);
        // An edge's own pixels belong to the triangle on its lower right side.
        let owns =
            |from: Pos2, to: Pos2| (to.y - from.y) < 0.0 || (to.y == from.y && to.x > from.x);
        let edges = [(b.pos, c.pos), (c.pos, a.pos), (a.pos, b.pos)];
        for y in whole(low.y).max(top)..(whole(high.y) + 1).min(bottom) {
            for x in columns.clone() {
                let middle = pos2(real(x) + 0.5, real(y) + 0.5);
                let parts = edges.map(|(from, to)| cross(from, to, middle));
                let inside = |(part, (from, to)): (&f32, &(Pos2, Pos2))| {
                    *part > 0.0 || (*part == 0.0 && owns(*from, *to))
                };
                if !parts.iter().zip(&edges).all(inside) {
                    continue;
                }
                let weights = parts.map(|part| part / area);
                let colour = mixed(&[a, b, c], weights, texture);
                let under = &mut self.pixels[y * self.size[0] + x];
                *under = over(colour, *under);
            }
        }
    }
}

/// The colour of a point of a triangle.
fn mixed(corners: &[Vertex; 3], weights: [f32; 3], texture: Option<&Pixels>) -> [f32; 4] {
    let mut colour = [0.0; 4];
    let mut uv = Pos2::ZERO;
    for (corner, weight) in corners.iter().zip(weights) {
        uv += corner.uv.to_vec2() * weight;
        for (channel, value) in colour.iter_mut().zip(corner.color.to_array()) {
            *channel += weight * f32::from(value) / 255.0;
        }
    }
    if let Some(texture) = texture {
        for (channel, value) in colour.iter_mut().zip(texture.at(uv)) {
            *channel *= value;
        }
    }
    colour
}

/// A premultiplied colour over another one.
fn over(colour: [f32; 4], under: Color32) -> Color32 {
    let rest = 1.0 - colour[3];
    let below = under.to_array();
    let blended = [0, 1, 2, 3].map(|channel: usize| {
        let value = colour[channel] * 255.0 + rest * f32::from(below[channel]);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a byte")]
        let byte = value.round().clamp(0.0, 255.0) as u8;
        byte
    });
    Color32::from_rgba_premultiplied(blended[0], blended[1], blended[2], blended[3])
}

/// Twice the area of a triangle, positive if its corners go round as the clock does on a screen.
fn cross(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a picture")]
fn whole(value: f32) -> usize {
    value.max(0.0) as usize
}

#[allow(clippy::cast_precision_loss, reason = "pixels of a picture")]
fn real(value: usize) -> f32 {
    value as f32
}
