"""Sixty short texts in each of twelve languages, on two subjects, trains and kitchens, made of lists of words written for them."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple


class Sample(NamedTuple):
    """Words of two subjects, frames of sentences, and a query for the trains whose form the texts do not have, or seldom."""

    frames: tuple[str, ...]
    trains: str
    kitchen: str
    query: str


SAMPLES = {
    "de": Sample(
        ("Wir haben über {} und {} gesprochen, und dann war auch noch {} da.", "Das ist für {} gut, aber {} kommt mit {} nicht."),
        "Züge Bahnhof Schienen Lokomotive Fahrplan Gleise Waggons Schaffner",
        "Suppe Pfanne Zwiebeln Rezept Backofen Butter Gewürze Kartoffeln",
        "Zug",
    ),
    "fr": Sample(
        ("Nous avons parlé de {} et de {} avec {} dans la ville.", "Il y a {} pour les {} mais pas de {} chez nous."),
        "trains gare rails locomotive horaires wagons voyageurs quai",
        "soupe poêle oignons recette four beurre épices farine",
        "locomotives",
    ),
    "es": Sample(
        ("Hemos hablado de {} y de {} con {} en la ciudad.", "No hay {} para los {} pero sí hay {} en este lugar."),
        "trenes estación raíles locomotora horarios vagones viajeros andén",
        "sopa sartén cebollas receta horno mantequilla especias harina",
        "locomotoras",
    ),
    "ru": Sample(
        ("Мы говорили о том, что {} и {} были здесь, а {} нет.", "Это было только для {}, но {} уже не {} там."),
        "поезда вокзал рельсы локомотив расписание вагоны пассажиры платформа",
        "супы сковорода пельмени рецепт духовка масло специи картофель",
        "поездов",
    ),
    "el": Sample(
        ("Είπαμε για {} και για {} με {} στην πόλη.", "Δεν είναι {} για τους {} αλλά έχει {} εδώ."),
        "τρένα σταθμός ράγες μηχανή δρομολόγια βαγόνια επιβάτες αποβάθρα",
        "σούπα τηγάνι κρεμμύδια συνταγή φούρνος βούτυρο μπαχαρικά αλεύρι",
        "ΤΡΕΝΑ",
    ),
    "ar": Sample(
        ("كان هناك {} و {} مع {} في المدينة.", "هذا من {} إلى {} ولكن ليس {} هنا."),
        "القطار المحطة السكة القاطرة العربات المسافرون الرصيف التذكرة",
        "الحساء المقلاة البصل الوصفة الفرن الزبدة التوابل الطحين",
        "قِطار",
    ),
    "he": Sample(
        ("דיברנו על {} ועל {} עם {} בעיר.", "זה לא {} אבל יש {} וגם {} כאן."),
        "רכבת תחנה מסילה קטר קרונות נוסעים רציף כרטיס",
        "מרק מחבת בצל מתכון תנור חמאה תבלינים קמח",
        "רַכֶּבֶת",
    ),
    "hi": Sample(
        ("हमने {} और {} के साथ {} की बात की है।", "यह {} के लिए है लेकिन {} में {} नहीं है।"),
        "रेलगाड़ी स्टेशन पटरी इंजन डिब्बे यात्री टिकट प्लेटफार्म",
        "सूप कड़ाही प्याज मसाले तंदूर मक्खन आटा नुस्खा",
        "रेलगाड़ियों",
    ),
    "zh": Sample(
        ("我们在城里说了{}和{}，还有{}。", "这是{}的，但是没有{}也没有{}。"),
        "火车 车站 铁轨 车厢 旅客 站台 车票 时刻表",
        "煮汤 煎锅 洋葱 食谱 烤箱 黄油 香料 面粉",
        "火车站",
    ),
    "ja": Sample(
        ("私たちは{}と{}について話し、{}もありました。", "これは{}のためですが、{}には{}がありません。"),
        "電車 駅長 線路 機関車 車両 乗客 切符 時刻表",
        "味噌汁 鍋料理 玉葱 料理本 天火 牛酪 香辛料 小麦粉",
        "電車",
    ),
    "th": Sample(
        ("เราพูดถึง{}และ{}กับ{}ในเมือง", "นี่ไม่ใช่{}แต่มี{}และ{}ที่นี่"),
        "รถไฟ สถานี รางเหล็ก หัวรถจักร ตู้โดยสาร ผู้โดยสาร ชานชาลา ตั๋วเดินทาง",
        "น้ำซุป กระทะ หัวหอม สูตรอาหาร เตาอบ เนยสด เครื่องเทศ แป้งสาลี",
        "รถไฟ",
    ),
    "ko": Sample(
        ("우리는 {}와 {}에 대해 {}까지 말했다.", "이것은 {}를 위한 것이지만 {}에는 {}가 없다."),
        "기차 기차역 선로 기관차 객차 승객 승강장 시간표",
        "수프 냄비 양파 요리법 오븐 버터 향신료 밀가루",
        "기차를",
    ),
}


def texts_of(code: str) -> tuple[list[str], list[str]]:
    """Sixty texts of a language, and the subject of each: first thirty on trains, then as many on kitchens."""
    sample, texts = SAMPLES[code], []
    for words in (sample.trains.split(), sample.kitchen.split()):
        threes = list(combinations(words, 3))
        chosen = [threes[(11 * number) % len(threes)] for number in range(60)]
        sentences = [sample.frames[(number // 2 + number) % 2].format(*words) for number, words in enumerate(chosen)]
        texts += [f"{sentences[2 * number]} {sentences[2 * number + 1]}" for number in range(30)]
    return texts, ["trains"] * 30 + ["kitchen"] * 30
