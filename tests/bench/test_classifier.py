"""The bench of the classifier: splits and labels of a draw, lines that go on where they stopped, the curve, the page."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp

from bench.classifier import __main__ as command
from bench.classifier import curve, few, material, report, run
from bench.classifier.calibration import calibration_error
from bench.classifier.curve import pool
from bench.classifier.material import Split, seed_of_split, some_labels
from bench.classifier.run import LABELS, PEERS, Job, do
from bench.classifier.store import lines
from bench.quality.material import Material

N_TERMS = 60
DRAWN = [3, 7, 10, 16]  # by the rule of drawing as it was when the first results were made


def toy(n_per_class=30, seed=0):
    """Documents of three classes, each with twenty terms of its own and the others' now and then; half of them to test with."""
    random = np.random.RandomState(seed)
    classes = np.tile(np.arange(3), 2 * n_per_class)
    rates = np.where(np.arange(N_TERMS) // 20 == classes[:, None], 0.4, 0.08)
    counts, half = sp.csr_array(random.poisson(rates).astype(np.float64)), 3 * n_per_class
    return Split(counts[:half], classes[:half], counts[half:], classes[half:])


@pytest.fixture(name="data")
def toy_instead_of_corpora(monkeypatch):
    data = toy()
    for module in (run, curve):
        monkeypatch.setattr(module, "split", lambda corpus, seed: data)
    return data


@pytest.fixture(name="documents", scope="module")
def embedded_toy():
    return pool(toy(), n_components=5, n_neighbors=5)


def line(corpus="newsgroups", per_class=5, draw=0, ours=0.8, theirs=0.7, ece=0.03):
    peers = {name: {"accuracy": theirs, "seconds": 0.1} for name in PEERS}
    vicinal = {"accuracy": ours, "ece": ece, "seconds": 2.0, "share": 0.5}
    return {"corpus": corpus, "per_class": per_class, "draw": draw, "labels": 100, "vicinal": vicinal, **peers}


def put(file, *values):
    file.write_text("".join(json.dumps(each) + "\n" for each in values), encoding="utf-8")
    return file


class TestMaterial:
    def test_so_many_labels_of_each_class_and_all_for_zero(self):
        classes = np.repeat([0, 1, 2], [4, 20, 30])
        labels = some_labels(classes, 5, 0)
        assert np.bincount(labels[labels >= 0]).tolist() == [4, 5, 5]
        assert np.array_equal(labels[labels >= 0], classes[labels >= 0])
        assert not np.array_equal(labels, some_labels(classes, 5, 1))
        assert np.array_equal(some_labels(classes, 0, 3), classes)

    def test_the_rule_of_drawing_has_not_changed(self):
        """Results are of these very labels."""
        assert np.flatnonzero(some_labels(np.arange(20) % 2, 2, 7) >= 0).tolist() == DRAWN

    def test_halves_of_tdt2_are_disjoint_and_use_the_terms_of_the_first(self, monkeypatch):
        counts = sp.csr_array(np.eye(40, 12)[np.arange(40) % 10] + np.eye(40, 12)[(np.arange(40) + 1) % 10])
        monkeypatch.setattr(material.tdt2, "load", lambda: (counts, np.arange(40)))
        data = material._halves_of_tdt2(np.random.RandomState(0))
        assert sorted([*data.classes, *data.test_classes]) == list(range(40))
        assert data.counts.shape[1] == data.test_counts.shape[1] <= 10  # two terms occur nowhere
        assert (np.diff(sp.csc_array(data.counts).indptr) >= material.RARE).all()

    def test_halves_of_arxiv_have_as_many_of_each_class_and_none_twice(self, monkeypatch):
        monkeypatch.setattr(material, "N_CLASSES", 2)
        monkeypatch.setattr(material, "PER_CLASS", 6)
        subjects = ["wheat corn", "goal match", "oven bread"]
        found = {"abstract": [f"{subjects[i % 3]} number{i}" for i in range(27)], "category": [f"c{i % 3}" for i in range(27)]}
        monkeypatch.setattr(material.arxiv, "load", lambda fields: found)
        data = material._halves_of_arxiv(np.random.RandomState(0))
        assert np.bincount(data.classes).tolist() == np.bincount(data.test_classes).tolist() == [3, 3]
        assert data.counts.shape[1] == data.test_counts.shape[1]

    def test_corpora_split_by_date_have_one_split(self):
        assert [seed_of_split(corpus, 3) for corpus in material.CORPORA] == [0, 0, 3, 3]
        assert Job("newsgroups", 0, 1).is_repeated
        assert not Job("newsgroups", 0, 0).is_repeated
        assert not Job("newsgroups", 5, 1).is_repeated
        assert not Job("tdt2", 0, 1).is_repeated


class TestRun:
    def test_a_draw_is_one_line_with_the_classifier_and_its_peers(self, data):
        found = do(Job("newsgroups", 5, 0))
        assert found["labels"] == 15
        assert set(found) == {"corpus", "per_class", "draw", "labels", "code", "vicinal", *PEERS}
        assert all(0.5 < found[each]["accuracy"] <= 1 for each in ("vicinal", *PEERS))
        assert 0 <= found["vicinal"]["ece"] < 0.5

    def test_calibration_error_is_the_gap_between_confidence_and_accuracy(self):
        p = np.tile([0.8, 0.2], (10, 1))
        assert calibration_error(p, np.repeat([0, 1], [8, 2])) == pytest.approx(0.0)
        assert calibration_error(p, np.repeat([0, 1], [3, 7])) == pytest.approx(0.5)
        assert calibration_error(np.array([[1.0, 0.0]]), np.array([0])) == 0.0

    def test_a_run_goes_on_where_it_stopped_after_a_line_that_was_cut_off(self, data, tmp_path, capsys):
        file = tmp_path / "lines.jsonl"
        put(file, line("newsgroups", 5, 0))
        with file.open("a", encoding="utf-8") as stream:
            stream.write('{"corpus": "newsgr')
        asked = command.arguments(["--corpus", "newsgroups", "--labels", "5"])
        jobs = [job for job in command.jobs(asked) if job.draw < 2]
        command._run(jobs, file)
        assert [each["draw"] for each in lines(file)] == [0, 1]
        assert "not used" in capsys.readouterr().err
        before = file.read_text()
        command._run(jobs, file)
        assert file.read_text() == before

    def test_every_corpus_number_of_labels_and_draw_is_wanted(self):
        wanted = command.jobs(command.arguments([]))
        assert len(wanted) == len(set(wanted)) == 2 * (5 * 3 + 1) + 2 * 5 * 4

    def test_a_run_that_is_stopped_writes_the_page_all_the_same(self, monkeypatch):
        written = []

        def stopped(jobs, file, renew):
            raise KeyboardInterrupt

        monkeypatch.setattr(command, "_run", stopped)
        monkeypatch.setattr(report, "write", lambda: written.append(True))
        assert (command.main([]), written) == (130, [True])
        assert (command.main(["--report"]), written) == (0, [True, True])

    def test_a_draw_that_is_renewed_counts_once_by_its_last_result(self, data, tmp_path):
        file = put(tmp_path / "lines.jsonl", line("newsgroups", 5, 0, ours=0.1))
        command._run([Job("newsgroups", 5, 0)], file, renew=True)
        assert len(lines(file)) == 2
        none = tmp_path / "none.jsonl"
        report.write(tmp_path / "page.md", file, none, none)
        assert "behind the better peer: 0 of 1." in (tmp_path / "page.md").read_text(encoding="utf-8")


class TestFew:
    def test_what_a_classifier_says_of_itself_stands_beside_the_truth(self, tmp_path, monkeypatch):
        data, file = toy(40), tmp_path / "few.jsonl"
        monkeypatch.setattr(few, "prepare", lambda draw: Material(data.counts, data.classes))
        monkeypatch.setattr(few, "DRAWN", ("ng:5:80:77",))
        monkeypatch.setattr(few, "PER_CLASS", (2,))
        monkeypatch.setattr(few, "SEEDS", range(1))
        few.run(file)
        (found,) = lines(file)
        assert found["interval"][0] <= found["said"] <= found["interval"][1]
        assert found["without"] > 0.6
        before = file.read_text()
        few.run(file)
        assert file.read_text() == before

    def test_a_row_has_means_the_largest_error_and_how_often_the_interval_holds_the_truth(self, tmp_path):
        told = [
            {"corpus": "a", "per_class": 2, "seed": seed, "without": 0.8, "unseen": 0.7, "said": said, "interval": [0.6, 0.85]}
            for seed, said in enumerate((0.7, 1.0))
        ]
        told[1]["interval"] = [0.9, 1.0]
        page = few.section(put(tmp_path / "few.jsonl", *told))
        assert "| 2 | 2 | 80.0 | 70.0 | 85.0 | +5.0, +20.0 | 1 of 2 |" in page
        assert "52 of 54 fits are still to be made. Of these results: 2 from an earlier state, not noted." in page
        assert few.section(tmp_path / "none.jsonl") == ""


class TestCurve:
    @pytest.mark.parametrize("way", curve.WAYS)
    def test_more_labels_and_accuracy_after_each_of_the_sizes(self, documents, way):
        found = curve.curve(documents, way, 0, sizes=(3, 9, 18), batch=3)
        assert list(found) == ["3", "9", "18"]
        assert found["18"] > 0.8
        assert found == curve.curve(documents, way, 0, sizes=(3, 9, 18), batch=3)

    def test_labels_asked_for_are_of_all_classes_before_random_ones_are(self, documents):
        asked = curve.curve(documents, "asked", 0, sizes=(3,), batch=3)["3"]
        random = np.mean([curve.curve(documents, "random", seed, sizes=(3,), batch=3)["3"] for seed in range(10)])
        assert asked > random + 0.05

    def test_labels_of_one_class_predict_it_for_all(self, documents):
        known = np.zeros(len(documents.classes), dtype=bool)
        known[0] = True
        assert curve._learn(documents, known) == (None, pytest.approx(1 / 3))

    def test_a_curve_goes_on_where_it_stopped(self, data, tmp_path, monkeypatch):
        file, made = tmp_path / "ask.jsonl", []
        monkeypatch.setattr(curve, "pool", lambda data: None)
        monkeypatch.setattr(curve, "curve", lambda documents, way, seed: made.append((way, seed)) or {"20": 0.5})
        put(file, {"way": "asked", "seed": 0, "accuracy": {}})
        curve.run((0, 1), file)
        assert made == [("random", 0), ("asked", 1), ("random", 1)]
        curve.run((0, 1), file)
        assert len(made) == 3
        assert len(lines(file)) == 4


class TestReport:
    def test_losses_of_more_than_half_a_point_are_bold_and_counted(self, tmp_path):
        results = [line(draw=0), line(draw=1, ours=0.69), line("reuters", 0, ece=0.09)]
        report.write(
            tmp_path / "page.md", put(tmp_path / "lines.jsonl", *results), tmp_path / "none.jsonl", tmp_path / "none.jsonl"
        )
        page = (tmp_path / "page.md").read_text(encoding="utf-8")
        assert "| 20 Newsgroups by date | 5 | 74.5 | 70.0 | 70.0 | +4.5, **-1.0** | 0.030, 0.030 | 0.50 | 2.0, x20 |" in page
        assert "| Reuters | all | 80.0 |" in page
        assert "1 of 3" in page
        assert "at most 0.05 in 2 of 3" in page
        assert "TDT2 |" not in page
        assert "## Labels that are asked for" not in page

    def test_the_curve_is_a_table_of_means_lowest_and_highest(self, tmp_path):
        values = [
            {"way": way, "seed": seed, "accuracy": dict.fromkeys(map(str, curve.SIZES), 0.5 + 0.1 * seed)}
            for way in curve.WAYS
            for seed in range(2)
        ]
        report.write(tmp_path / "page.md", tmp_path / "none.jsonl", put(tmp_path / "ask.jsonl", *values))
        page = (tmp_path / "page.md").read_text(encoding="utf-8")
        assert page.count("55.0 (50.0 to 60.0)") == 2 * len(curve.SIZES)

    def test_the_page_in_the_repository_is_that_of_the_results(self, tmp_path):
        report.write(tmp_path / "page.md")
        assert (tmp_path / "page.md").read_text(encoding="utf-8") == report.PAGE.read_text(encoding="utf-8")
        assert {each["per_class"] for each in lines(report.FILE)} <= set(LABELS)
