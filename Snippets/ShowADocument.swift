// A document of anybody, shown without running or fetching anything.
import PaviseDocuments

let letter = """
    <h1>Your results</h1><p>Dear <b>patient</b>,</p><script src="https://tracker.example/t.js"></script>
    <p>see <a href="https://clinic.example/results">your results</a>.</p><img src="https://tracker.example/open.gif">
    """
let page = try DocumentPage(Array(letter.utf8), named: "letter.html")
print(page.text)
for link in page.links { print("[\(link.number)] leads to \(link.host ?? "an e-mail address")") }
print(page.omissions.sentence)
