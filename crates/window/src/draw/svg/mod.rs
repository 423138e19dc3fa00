//! Writes the shapes of a frame as SVG. The same shapes give the same bytes. Shadows are left out.

mod base64;
mod picture;
mod shapes;
mod text;

use std::fmt::Write as _;

use egui::epaint::ClippedShape;
use egui::{Color32, Rect, Vec2};

use lightloom_raster::Soft;

/// Colours and places of a frame.
struct Writer<'a> {
    /// The elements so far.
    body: String,
    /// Rectangles that clip, in the order of their first use.
    clips: Vec<Rect>,
    textures: &'a Soft,
}

/// The shapes of a frame of this size, in points, as an SVG document. `ground` is the colour behind them.
///
/// # Errors
/// A message if the frame has a callback, which only a graphics processor draws.
pub fn svg(
    title: &str,
    shapes: &[ClippedShape],
    (size, ground): (Vec2, Color32),
    textures: &Soft,
) -> Result<String, String> {
    let mut writer = Writer { body: String::new(), clips: Vec::new(), textures };
    let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
    let mut open: Option<usize> = None;
    for ClippedShape { clip_rect, shape, .. } in shapes {
        let clip = clip_rect.intersect(screen);
        let seen = shape.visual_bounding_rect().intersect(clip);
        if !(clip.is_positive() && seen.width() >= 0.0 && seen.height() >= 0.0) {
            continue;
        }
        let number = writer.clip(clip);
        if open != Some(number) {
            if open.is_some() {
                writer.body += "</g>\n";
            }
            let _ = writeln!(writer.body, "<g clip-path=\"url(#clip{number})\">");
            open = Some(number);
        }
        writer.shape(shape)?;
    }
    if open.is_some() {
        writer.body += "</g>\n";
    }
    let (width, height) = (number(size.x), number(size.y));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n<defs>\n",
        escaped(title)
    );
    for (number, clip) in writer.clips.iter().enumerate() {
        let _ = writeln!(text, "<clipPath id=\"clip{number}\"><rect {}/></clipPath>", place(*clip));
    }
    let _ = writeln!(text, "</defs>\n<rect {}{}/>", place(screen), fill(ground));
    Ok(text + &writer.body + "</svg>\n")
}

impl Writer<'_> {
    /// The number of a rectangle that clips.
    fn clip(&mut self, clip: Rect) -> usize {
        let known = self.clips.iter().position(|other| *other == clip);
        known.unwrap_or_else(|| {
            self.clips.push(clip);
            self.clips.len() - 1
        })
    }
}

/// A number with at most two decimals.
fn number(value: f32) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The attributes of a rectangle's place.
fn place(rect: Rect) -> String {
    let [x, y, width, height] =
        [rect.min.x, rect.min.y, rect.width().max(0.0), rect.height().max(0.0)].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// The attributes of a fill. A transparent one is written too, as the default is black.
fn fill(colour: Color32) -> String {
    painted("fill", colour)
}

fn painted(attribute: &str, colour: Color32) -> String {
    let [red, green, blue, alpha] = colour.to_srgba_unmultiplied();
    match alpha {
        0 => format!(" {attribute}=\"none\""),
        255 => format!(" {attribute}=\"#{red:02x}{green:02x}{blue:02x}\""),
        _ => {
            let share = number(f32::from(alpha) / 255.0);
            let colour = format!("#{red:02x}{green:02x}{blue:02x}");
            format!(" {attribute}=\"{colour}\" {attribute}-opacity=\"{share}\"")
        }
    }
}

/// The attributes of a stroke.
fn stroke(width: f32, colour: Color32) -> String {
    if width <= 0.0 || colour.a() == 0 {
        return String::new();
    }
    format!("{} stroke-width=\"{}\"", painted("stroke", colour), number(width))
}

/// A text within an element or an attribute. Characters that XML has not are replaced.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&apos;",
            '\t' | '\n' | '\r' => safe.push(' '),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => safe.push('\u{FFFD}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use egui::Color32;

    use super::{escaped, fill, number};

    #[test]
    fn numbers_are_short_and_finite() {
        let texts = [1.0, 0.126, -0.001, f32::NAN, 1600.5].map(number);
        assert_eq!(texts, ["1", "0.13", "0", "0", "1600.5"]);
    }

    #[test]
    fn texts_and_colours_are_xml() {
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;\u{FFFD}");
        assert_eq!(fill(Color32::TRANSPARENT), " fill=\"none\"");
        assert_eq!(fill(Color32::from_rgb(1, 2, 255)), " fill=\"#0102ff\"");
        let half = fill(Color32::from_rgba_unmultiplied(255, 0, 0, 128));
        assert_eq!(half, " fill=\"#ff0000\" fill-opacity=\"0.5\"");
    }
}
