internal import CGtk

/// A picture that is drawn, with words for those who do not see it.
@MainActor @safe
package final class Drawing: Widget {
    /// - Parameters:
    ///   - name: What a screen reader calls it.
    ///   - text: What it shows, in words.
    ///   - draw: Draws it, whenever it has to be.
    package init(_ name: String, _ text: String, _ draw: @escaping @MainActor (Canvas) -> Void) {
        let painter = Painter(draw)
        let box = unsafe Unmanaged.passRetained(painter).toOpaque()
        unsafe super.init(diary_drawing(Painter.call, Painter.end, box))
        named(name, text)
    }
}

/// Where a picture is drawn, in points from the top left; valid for one call.
@MainActor @safe
package struct Canvas {
    private let pen: UnsafeMutableRawPointer
    private let area: UnsafeMutableRawPointer
    package let width: Double
    package let height: Double
    /// The colour of text here: dark on light, light on dark.
    package let ink: Color

    package struct Color: Sendable {
        package let red, green, blue: Double
        package init(_ red: Double, _ green: Double, _ blue: Double) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }
    }

    /// Where a text stands to its point.
    package enum Alignment: Int32 {
        case leading, middle, trailing
    }

    fileprivate init(_ pen: UnsafeMutableRawPointer, _ area: UnsafeMutableRawPointer, _ width: Int32, _ height: Int32) {
        unsafe self.pen = pen
        unsafe self.area = area
        self.width = Double(width)
        self.height = Double(height)
        var found = [0.0, 0.0, 0.0]
        unsafe diary_text_color(area, &found)
        ink = Color(found[0], found[1], found[2])
    }

    /// A filled rectangle.
    package func fill(_ color: Color, alpha: Double = 1, x: Double, y: Double, width: Double, height: Double) {
        unsafe diary_pen_color(pen, color.red, color.green, color.blue, alpha)
        unsafe diary_pen_fill(pen, x, y, width, height)
    }

    /// A thin line.
    package func line(_ color: Color, alpha: Double = 1, from: (Double, Double), to: (Double, Double)) {
        unsafe diary_pen_color(pen, color.red, color.green, color.blue, alpha)
        unsafe diary_pen_line(pen, from.0, from.1, to.0, to.1)
    }

    /// A small text, its middle at this height.
    package func text(_ text: String, at point: (Double, Double), _ alignment: Alignment = .leading) {
        unsafe diary_pen_color(pen, ink.red, ink.green, ink.blue, 0.75)
        unsafe diary_pen_text(pen, area, point.0, point.1, text, alignment.rawValue)
    }
}

@MainActor @safe
private final class Painter {
    private let draw: @MainActor (Canvas) -> Void

    init(_ draw: @escaping @MainActor (Canvas) -> Void) { self.draw = draw }

    private func paint(_ pen: UInt, _ area: UInt, _ width: Int32, _ height: Int32) {
        guard let pen = unsafe UnsafeMutableRawPointer(bitPattern: pen),
            let area = unsafe UnsafeMutableRawPointer(bitPattern: area)
        else { return }
        unsafe draw(Canvas(pen, area, width, height))
    }

    static let call:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int32, Int32
        ) -> Void = { data, area, pen, width, height in
            guard let data = unsafe data else { return }
            // An address may travel where a pointer may not; it is used on this thread alone.
            let (pen, area) = (UInt(bitPattern: pen), UInt(bitPattern: area))
            let painter = unsafe Unmanaged<Painter>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { painter.paint(pen, area, width, height) }
        }

    static let end: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { data, _ in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<Painter>.fromOpaque(data).release()
    }
}
