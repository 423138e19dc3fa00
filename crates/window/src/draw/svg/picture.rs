//! Textures: pictures within a picture, and meshes.

use egui::epaint::{Mesh, WHITE_UV};
use egui::{Color32, Pos2, Rect, TextureId};

use super::shapes::points;
use super::{Writer, base64, fill, place};

impl Writer<'_> {
    /// Writes a part of a texture over a rectangle.
    pub(super) fn image(
        &mut self,
        at: Rect,
        texture: TextureId,
        uv: Rect,
        tint: Color32,
    ) -> Result<(), String> {
        let Some(part) = self.textures.texture(texture).map(|texture| texture.part(uv, tint))
        else {
            return Ok(());
        };
        let data = base64::text(&part.png()?);
        self.element(&format!(
            "<image {} preserveAspectRatio=\"none\" href=\"data:image/png;base64,{data}\"/>",
            place(at)
        ));
        Ok(())
    }

    /// Writes a mesh: a picture if it is a rectangle of a texture, and else triangle by triangle in their mean colours.
    pub(super) fn mesh(&mut self, mesh: &Mesh) -> Result<(), String> {
        let is_textured = mesh.vertices.iter().any(|vertex| vertex.uv != WHITE_UV);
        if is_textured && mesh.vertices.len() == 4 {
            let bounds = |of: fn(&egui::epaint::Vertex) -> Pos2| {
                Rect::from_points(&mesh.vertices.iter().map(of).collect::<Vec<_>>())
            };
            let tint = mesh.vertices[0].color;
            let (at, uv) = (bounds(|vertex| vertex.pos), bounds(|vertex| vertex.uv));
            return self.image(at, mesh.texture_id, uv, tint);
        }
        for triangle in mesh.indices.chunks_exact(3) {
            let corners: Vec<_> =
                triangle.iter().filter_map(|&index| mesh.vertices.get(index as usize)).collect();
            if corners.len() < 3 {
                continue;
            }
            let colour = mean(&corners.iter().map(|corner| corner.color).collect::<Vec<_>>());
            if colour.a() > 0 {
                let at: Vec<Pos2> = corners.iter().map(|corner| corner.pos).collect();
                let edges = " shape-rendering=\"crispEdges\"";
                self.element(&format!(
                    "<polygon points=\"{}\"{}{edges}/>",
                    points(&at),
                    fill(colour)
                ));
            }
        }
        Ok(())
    }
}

/// The mean of three colours.
fn mean(colours: &[Color32]) -> Color32 {
    let mut sums = [0_u16; 4];
    for colour in colours.iter().take(3) {
        for (sum, channel) in sums.iter_mut().zip(colour.to_array()) {
            *sum += u16::from(channel);
        }
    }
    let [red, green, blue, alpha] = sums.map(|sum| u8::try_from(sum / 3).unwrap_or(u8::MAX));
    Color32::from_rgba_premultiplied(red, green, blue, alpha)
}
