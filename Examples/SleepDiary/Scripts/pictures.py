"""make diary-pictures: the pages of the diary in both languages, into Documentation/SleepDiary."""

import pathlib
import subprocess
import sys
import time

from desktop import Diary, Lab, stage

PIN = "730469"
TEXTS = {
    "en": {"locale": "english", "digit": "Digit %s", "enter": "Enter", "choose": "Choose a PIN", "again": "Type the same PIN",
           "add": "Add a night", "cancel": "Cancel", "trends": "Trends", "trend": "Weeks", "questions": "Questions",
           "isi": "Answer now: Insomnia Severity Index (ISI)", "item": "Question 1 of 7", "documents": "Documents",
           "letter": "clinic-letter.html", "shown": "Monday at 9:30", "back": "Back", "settings": "Settings", "sign": "Sign in",
           "review": "Do you know this server?", "meaning": "What does this mean?", "no": "Do not connect",
           "lock": "Lock now", "locked": "The diary is locked", "isi-list": "Sum 21 of 28", "account": "Sign in at the server"},
    "de": {"locale": "german", "digit": "Ziffer %s", "enter": "Eingabe", "choose": "PIN wählen", "again": "dieselbe PIN",
           "add": "Nacht eintragen", "cancel": "Abbrechen", "trends": "Verlauf", "trend": "Wochen", "questions": "Fragebögen",
           "isi": "Jetzt beantworten: Insomnia Severity Index (ISI)", "item": "Frage 1 von 7", "documents": "Dokumente",
           "letter": "clinic-letter.html", "shown": "Monday at 9:30", "back": "Zurück", "settings": "Einstellungen",
           "sign": "Anmelden", "review": "Kennen Sie diesen Server?", "meaning": "Was bedeutet das?", "no": "Nicht verbinden",
           "lock": "Jetzt sperren", "locked": "Das Tagebuch ist gesperrt", "isi-list": "Summe 21 von 28",
           "account": "Melden Sie sich am Server"},
}


def take(folder, into, code):
    say = TEXTS[code]
    lab = Lab()
    diary = Diary(folder, home=f"home-{code}", language=say["locale"], lab=lab)
    diary.fill()

    def picture(name):
        diary.front()
        diary.picture(into / f"{code}-{name}.png")
    try:
        diary.start()
        diary.see(say["choose"])
        picture("pin")
        for _ in range(2):
            diary.type_pin(PIN, say["digit"], say["enter"])
        diary.see(say["add"])
        picture("diary")
        diary.press(say["trends"])
        diary.see(say["trend"])
        picture("trends")
        diary.press(say["questions"])
        diary.see(say["isi-list"])
        picture("questionnaires")
        diary.press(say["isi"])
        diary.see(say["item"])
        picture("question")
        diary.press(say["cancel"])
        diary.see(say["isi-list"])
        diary.press(say["documents"])
        diary.press(say["letter"])
        diary.see(say["shown"])
        picture("document")
        diary.press(say["back"])
        diary.press(say["settings"])
        diary.see(say["account"])
        picture("settings")
        diary.press(say["sign"])
        diary.see(say["review"])
        diary.press(say["meaning"])
        time.sleep(0.5)
        picture_of_screen(into / f"{code}-certificate.png")
        diary.press(say["no"])
        diary.press(say["lock"])
        diary.see(say["locked"])
        picture("locked")
    finally:
        diary.stop()
        lab.stop()


def take_looks(folder, into):
    """Dark, and as narrow as a phone."""
    diary = Diary(folder, home="home-looks", appearance="dark")
    diary.fill()

    def picture(name):
        diary.front()
        diary.picture(into / f"en-{name}.png")
    say = TEXTS["en"]
    pages = [("diary", "Diary", say["add"]), ("trends", say["trends"], say["trend"]), ("settings", say["settings"], say["account"])]
    try:
        diary.start()
        diary.see(say["choose"])
        for _ in range(2):
            diary.type_pin(PIN, say["digit"], say["enter"])
        diary.see(say["add"])
        for name, page, there in pages[:2]:
            diary.press(page)
            diary.see(there)
            picture(f"{name}-dark")
        diary.resize(360, 640)
        for name, page, there in pages:
            diary.press(page)
            diary.see(there)
            picture(f"{name}-narrow")
    finally:
        diary.stop()


def picture_of_screen(path):
    subprocess.run(["import", "-window", "root", str(path)], check=True)


def main(into):
    into = pathlib.Path(into)
    into.mkdir(parents=True, exist_ok=True)
    with stage() as folder:
        for code in TEXTS:
            take(folder, into, code)
        take_looks(folder, into)


if __name__ == "__main__":
    main(sys.argv[1])
