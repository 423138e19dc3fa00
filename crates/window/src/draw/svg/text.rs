//! Texts: each character at its own place, so that every font gives nearly the same layout.

use egui::epaint::text::{Galley, PlacedRow};
use egui::epaint::{TextShape, Vertex};
use egui::{Color32, FontFamily, FontId, Pos2};

use super::shapes::{points, turned};
use super::{Writer, escaped, fill, number};

/// Characters of one line, font and colour.
struct Piece {
    font: FontId,
    colour: Color32,
    baseline: f32,
    xs: Vec<f32>,
    text: String,
}

impl Writer<'_> {
    /// Writes a text, and what is behind, under and over it.
    pub(super) fn text(&mut self, text: &TextShape) {
        let fonts = fonts(&text.galley);
        let mut first = 0;
        for row in &text.galley.rows {
            self.marks(text, row);
            let own = fonts.get(first..).unwrap_or_default();
            for piece in pieces(text, row, own) {
                self.piece(text, &piece);
            }
            first += row.glyphs.len() + usize::from(row.ends_with_newline);
        }
    }

    fn piece(&mut self, text: &TextShape, piece: &Piece) {
        if piece.text.trim().is_empty() || piece.colour.a() == 0 {
            return;
        }
        let family = match &piece.font.family {
            FontFamily::Monospace => "Hack, 'DejaVu Sans Mono', monospace\"",
            _ => {
                "'Ubuntu Light', Ubuntu, Arial, 'Liberation Sans', sans-serif\" font-weight=\"300\""
            }
        };
        let words: String = words(piece).collect();
        self.element(&format!(
            "<text xml:space=\"preserve\" y=\"{}\" font-family=\"{family} font-size=\"{}\"{}{}>{words}</text>",
            number(piece.baseline),
            number(piece.font.size),
            fill(piece.colour),
            turned(text.angle, text.pos),
        ));
    }

    /// Backgrounds, and lines under and through a row: triangles that are no glyphs.
    fn marks(&mut self, text: &TextShape, row: &PlacedRow) {
        let visuals = &row.visuals;
        let origin = text.pos + row.pos.to_vec2();
        for triangle in visuals.mesh.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|corner| triangle[corner] as usize);
            if corners.iter().any(|index| visuals.glyph_vertex_range.contains(index)) {
                continue;
            }
            let vertices: Vec<&Vertex> =
                corners.iter().filter_map(|&index| visuals.mesh.vertices.get(index)).collect();
            let Some(colour) = vertices.iter().map(|vertex| vertex.color).min_by_key(Color32::a)
            else {
                continue;
            };
            let colour = seen(colour, text);
            if colour.a() > 0 && vertices.len() == 3 {
                let at: Vec<Pos2> = vertices.iter().map(|v| origin + v.pos.to_vec2()).collect();
                let turn = turned(text.angle, text.pos);
                self.element(&format!(
                    "<polygon points=\"{}\"{}{turn}/>",
                    points(&at),
                    fill(colour)
                ));
            }
        }
    }
}

/// The words of a piece, each with the places of its characters. Renderers that take only the first place of an element
/// put each word where it belongs.
fn words(piece: &Piece) -> impl Iterator<Item = String> + '_ {
    let mut xs = piece.xs.iter();
    piece.text.split_inclusive(' ').map(move |word| {
        let xs: Vec<String> = xs.by_ref().take(word.chars().count()).map(|x| number(*x)).collect();
        format!("<tspan x=\"{}\">{}</tspan>", xs.join(" "), escaped(word))
    })
}

/// The font of each character of a text.
fn fonts(galley: &Galley) -> Vec<FontId> {
    let job = &galley.job;
    let mut fonts = Vec::new();
    for section in &job.sections {
        let range = section.byte_range.start.0..section.byte_range.end.0;
        let count = job.text.get(range).map_or(0, |text| text.chars().count());
        fonts.extend(std::iter::repeat_n(section.format.font_id.clone(), count));
    }
    fonts
}

/// The pieces of a row.
fn pieces(text: &TextShape, row: &PlacedRow, fonts: &[FontId]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let origin = text.pos + row.pos.to_vec2();
    for (index, glyph) in row.glyphs.iter().enumerate() {
        let drawn = row.visuals.mesh.vertices.get(glyph.first_vertex as usize);
        let drawn = drawn.filter(|_| !glyph.chr.is_whitespace());
        let last = pieces.last_mut();
        // A character that was cut off is replaced by one in the font of the last.
        let font = fonts.get(index).or(fonts.last()).cloned().unwrap_or_default();
        let colour = match (text.override_text_color, drawn) {
            (Some(colour), _) => seen(colour, text),
            (None, Some(vertex)) => seen(vertex.color, text),
            // A space has the colour of what goes before it.
            (None, None) => last.as_ref().map_or(text.fallback_color, |piece| piece.colour),
        };
        let at = origin + glyph.pos.to_vec2();
        let same = last
            .filter(|piece| piece.font == font && piece.colour == colour && piece.baseline == at.y);
        match same {
            Some(piece) => {
                piece.xs.push(at.x);
                piece.text.push(glyph.chr);
            }
            None => pieces.push(Piece {
                font,
                colour,
                baseline: at.y,
                xs: vec![at.x],
                text: glyph.chr.to_string(),
            }),
        }
    }
    pieces
}

/// A colour as it is seen.
fn seen(colour: Color32, text: &TextShape) -> Color32 {
    let colour = if colour == Color32::PLACEHOLDER { text.fallback_color } else { colour };
    if text.opacity_factor < 1.0 { colour.gamma_multiply(text.opacity_factor) } else { colour }
}
