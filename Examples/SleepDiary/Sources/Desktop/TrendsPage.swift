import DiaryCore
import Foundation
import Toolkit

/// The last nights as a picture and in words.
@MainActor
enum TrendsPage {
    private static let days = 14
    /// Points that a day below a bar takes.
    private static let dayWidth = 36.0
    private static let night = Canvas.Color(0.38, 0.36, 0.80)
    private static let bed = Canvas.Color(0.60, 0.58, 0.90)

    static func widget(_ shell: Shell, _ nights: [Night]) -> Widget {
        let phrases = shell.phrases
        guard let last = nights.last?.day else {
            return StatusPage(icon: "weather-clear-night-symbolic", title: phrases.noTrend, text: "")
        }
        let trend = Trend(nights, days: days, through: last)
        let text = shell.text
        let words = SleepFigures(nights, days: days, through: last).map(text.line) ?? phrases.noTrend
        let chart = Drawing(phrases.lastNights, words) { canvas in draw(trend, shell, canvas) }
        chart.size(-1, 240)
        let legend = Label("■ \(phrases.asleep)   □ \(phrases.inBed)").styled("caption", "dim-label")
        let picture = Stack(spacing: 8, [Label(phrases.lastNights).styled("heading"), chart, legend]).styled("card")
        let statistics = shell.open?.statistics
        let weeks = (statistics?.summaries(of: nights, by: .week) ?? []).suffix(6).reversed()
        let months = (statistics?.summaries(of: nights, by: .month) ?? []).suffix(6).reversed()
        return Scrolled(
            Clamp(
                Stack(
                    spacing: 18,
                    [
                        picture, Label(words).styled("dim-label"),
                        RowGroup(
                            phrases.weeks, "",
                            weeks.map { Row(text.week($0.period), text.line(SleepFigures($0))) }),
                        RowGroup(
                            phrases.months, "",
                            months.map { Row(text.month($0.period), text.line(SleepFigures($0))) }),
                    ]
                ).margin(18), width: 640))
    }

    private static func draw(_ trend: Trend, _ shell: Shell, _ canvas: Canvas) {
        let (left, bottom, top) = (34.0, 22.0, 8.0)
        let (width, height) = (canvas.width - left - 4, canvas.height - bottom - top)
        guard width > 40, height > 40 else { return }
        for hour in stride(from: 0, through: trend.hours, by: trend.hours > 6 ? 2 : 1) {
            let y = top + height * (1 - Double(hour) / Double(trend.hours))
            canvas.line(canvas.ink, alpha: 0.15, from: (left, y), to: (left + width, y))
            canvas.text("\(hour) h", at: (left - 6, y), .trailing)
        }
        let bar = width * trend.width * 0.62
        let step = max(2, Int((Self.dayWidth * 1.2 / (width * trend.width)).rounded(.up)))
        for (index, night) in trend.bars.enumerated() {
            let x = left + width * night.x - bar / 2
            canvas.fill(
                bed, alpha: 0.35, x: x, y: top + height * (1 - night.inBed), width: bar, height: height * night.inBed)
            canvas.fill(
                Self.night, x: x, y: top + height * (1 - night.asleep), width: bar, height: height * night.asleep)
            guard index % step == 0 else { continue }
            let (day, y) = (shell.text.shortDay(night.date), top + height + 12)
            // Half of a day's width would not fit beside the last bar of a narrow window.
            let isAtEdge = x + bar / 2 + Self.dayWidth / 2 > canvas.width
            canvas.text(day, at: (isAtEdge ? canvas.width : x + bar / 2, y), isAtEdge ? .trailing : .middle)
        }
    }
}
