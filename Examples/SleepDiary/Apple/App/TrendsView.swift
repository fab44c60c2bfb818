import DiaryCore
import Foundation
import Pavise
import SwiftUI

/// The last nights as a picture and in words, then weeks and months.
struct TrendsView: View {
    let model: DiaryModel
    private static let days = 14

    private var text: DiaryText { model.text }

    var body: some View {
        List {
            if let last = model.nights.last?.day {
                let words =
                    SleepFigures(model.nights, days: Self.days, through: last).map(text.line) ?? model.phrases.noTrend
                Section(model.phrases.lastNights) {
                    TrendChart(trend: Trend(model.nights, days: Self.days, through: last), text: text)
                        .accessibilityLabel(model.phrases.lastNights)
                        .accessibilityValue(words)
                    Text(words)
                }
                Section(model.phrases.weeks) { summaries(.week, text.week) }
                Section(model.phrases.months) { summaries(.month, text.month) }
            } else {
                Text(model.phrases.noTrend)
            }
        }
    }

    private func summaries(_ period: SleepSummary.Period, _ name: @escaping (String) -> String) -> some View {
        let all = model.security?.statistics.summaries(of: model.nights, by: period) ?? []
        let found = Array(all.suffix(6).reversed())
        return ForEach(found, id: \.period) { summary in
            VStack(spacing: 4) {
                Text(name(summary.period)).font(.headline)
                Text(text.line(SleepFigures(summary)))
            }
        }
    }
}

/// The chart, as `Trend` lays it out for every system.
struct TrendChart: View {
    let trend: Trend
    let text: DiaryText

    var body: some View {
        VStack(spacing: 6) {
            Canvas { canvas, size in
                let area = Area(width: Double(size.width) - 38, height: Double(size.height) - 30)
                drawHours(canvas, area)
                drawBars(canvas, area)
            }
            .frame(height: 240)
            Text("■ \(text.phrases.asleep)   □ \(text.phrases.inBed)").font(.caption)
        }
    }

    /// Where the bars are: hours stand to the left of it, days below.
    private struct Area {
        let left = 34.0, top = 8.0
        let width, height: Double
        func y(_ part: Double) -> Double { top + height * (1 - part) }
    }

    private func drawHours(_ canvas: GraphicsContext, _ area: Area) {
        for hour in stride(from: 0, through: trend.hours, by: trend.hours > 6 ? 2 : 1) {
            let y = area.y(Double(hour) / Double(trend.hours))
            let line = CGRect(x: area.left, y: y, width: area.width, height: 1)
            canvas.fill(Path(line), with: .color(.secondary.opacity(0.3)))
            canvas.draw(Text("\(hour) h").font(.caption), at: CGPoint(x: area.left - 6, y: y), anchor: .trailing)
        }
    }

    private func drawBars(_ canvas: GraphicsContext, _ area: Area) {
        let width = area.width * trend.width * 0.62
        for (index, night) in trend.bars.enumerated() {
            let x = area.left + area.width * night.x - width / 2
            for (part, colour) in [(night.inBed, Color.indigo.opacity(0.35)), (night.asleep, Color.indigo)] {
                let bar = CGRect(x: x, y: area.y(part), width: width, height: area.height * part)
                canvas.fill(Path(bar), with: .color(colour))
            }
            guard index % 2 == 0 else { continue }
            let below = CGPoint(x: x + width / 2, y: area.y(0) + 12)
            canvas.draw(Text(text.shortDay(night.date)).font(.caption), at: below, anchor: .center)
        }
    }
}
