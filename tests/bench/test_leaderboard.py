"""The leaderboard: the same texts for everybody, jobs that cannot end a run, peers that are not there, the pages."""

from __future__ import annotations

import json
import resource
import sys
import types
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import vicinal
from bench import retrieval
from bench.leaderboard import __main__ as command
from bench.leaderboard import job as job_module
from bench.leaderboard import kit as kit_module
from bench.leaderboard import material, ours, report, scores, store, summary, vectors, words
from bench.leaderboard import run as run_module
from bench.leaderboard.contestants import CONTESTANTS, MODULES, contestant, needed
from bench.leaderboard.kit import Kit
from bench.leaderboard.material import ToClassify, ToCluster, some_of_each
from bench.leaderboard.run import Job, Place, able, code_of, installed, jobs, measure, outstanding, run
from bench.leaderboard.store import Result, append, read
from bench.leaderboard.summary import bold, factor, figure, pair
from bench.leaderboard.tasks import CLASSES, CLUSTERS, SEARCH, Task, tasks
from bench.quality.draws import draws
from bench.records import fingerprint
from bench.retrieval import measures
from vicinal import Vectorizer

KEYS = [job.key for job in jobs()]
HERE = Path(sys.executable)
SUBJECTS = ("rose garden red flower leaf", "stock market price share bond", "goal match team player score")


def made_up(each=15, seed=0):
    """Texts on three subjects, each of five words out of its own five, and their classes."""
    random = np.random.RandomState(seed)
    classes = np.repeat(np.arange(3), each)
    return [" ".join(random.choice(SUBJECTS[c].split(), 5)) for c in classes], classes


class Encoder:
    """Counts the words of the subjects, and notes what it was asked."""

    def __init__(self):
        self.asked = []

    def encode(self, texts, batch_size=32, show_progress_bar=False):
        self.asked += texts
        return np.array(
            [[1 + sum(text.split().count(word) for word in subject.split()) for subject in SUBJECTS] for text in texts], float
        )


@pytest.fixture
def kit(tmp_path):
    return Kit(tmp_path / "vectors.sqlite", Encoder)


def result(contest=CLUSTERS, task="smart", who="vicinal", outcome="done", **values):
    figures = {
        CLUSTERS: {"nmi": 0.5, "accuracy": 0.6, "found": 3, "classes": 3, "outliers": 0.0, "documents": 100},
        CLASSES: {"accuracy": 0.8, "f1": 0.7, "labelled": 10, "documents": 100},
        SEARCH: {"map": 30.0, "ndcg": 40.0, "questions": 10, "documents": 100},
    }[contest] | values.pop("figures", {})
    base = Result(contest, task, who, outcome, 2.0, 1.5, 300, 1, "0123456789", figures if outcome == "done" else {})
    return replace(base, **values)


def known(*results):
    return {each.key: each for each in results}


def a_job(name):
    (found,) = (each for each in jobs() if each.name == name)
    return found


class TestTasks:
    def test_no_task_is_listed_twice_and_every_draw_is_there(self):
        assert len({task.key for task in tasks()}) == len(tasks())
        assert {task.name for task in tasks() if task.contest == CLUSTERS} == {draw.name for draw in draws()}
        assert {title for task, title in ((t, t.title) for t in tasks()) if task.contest == SEARCH} == set(retrieval.TASKS)

    def test_five_draws_per_number_of_labels_but_one_where_nothing_is_drawn(self):
        names = [task.name for task in tasks() if task.contest == CLASSES]
        assert [name for name in names if name.startswith("ng:20:")] == [f"ng:20:{seed}" for seed in range(5)]
        assert [name for name in names if name.startswith("ng:all")] == ["ng:all:0"]
        assert len([name for name in names if name.startswith("arxiv_abs:all")]) == 5

    def test_who_reads_meaning_is_not_given_counts_and_all_others_are(self):
        given = {job.who.name for job in jobs() if job.task.name == "tdt2" and job.task.contest == CLUSTERS}
        assert given == {"vicinal", "lsi", "nmf", "lda", "vicinal-auto"}

    def test_cheap_jobs_come_first(self):
        names = [job.name for job in jobs()]
        assert len(set(names)) == len(names)
        cheap, dear = names.index("search/med/bm25s"), names.index("clusters/arxiv_abs:20:1000:2/topeax")
        assert cheap < 10
        assert dear > 900
        assert names.index("clusters/arxiv_titles:20:1000:2/minilm") < names.index("clusters/arxiv_abs:20:1000:2/minilm")

    def test_every_contest_has_vicinal_once_for_each_thing_that_is_told(self):
        assert [(each.contest, each.finds_number) for each in CONTESTANTS if each.is_ours] == [
            (CLUSTERS, False),
            (CLUSTERS, True),
            (CLASSES, False),
            (SEARCH, False),
        ]
        assert set(needed()) == set(MODULES)


class TestMaterial:
    def test_counts_become_words_each_as_often_as_it_was_counted(self, monkeypatch):
        counts = sp.csr_array(np.array([[2, 0, 1, 0], [0, 3, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]], float))
        monkeypatch.setattr(material, "documents", lambda draw: (counts, np.array([1, 1, 0, 0])))
        found = material.to_cluster(Task(CLUSTERS, "tdt2", "TDT2", "tdt2", 4))
        assert found.classes.tolist() == [1, 1, 0, 0]
        again = Vectorizer("tf", unit=False, min_df=1, max_df=1.0).fit_transform(found.texts).toarray()
        assert sorted(map(tuple, again.T)) == sorted(map(tuple, counts.toarray().T))
        assert found.texts[3] == ""

    def test_each_class_gives_so_many_labels_or_all_it_has(self):
        y = np.repeat([0, 1, 2], [10, 3, 6])
        told = some_of_each(y, 5, np.random.RandomState(0))
        assert np.bincount(y[told]).tolist() == [5, 3, 5]
        assert not np.array_equal(told, some_of_each(y, 5, np.random.RandomState(1)))

    def test_training_and_test_set_share_no_document_and_the_test_set_has_its_classes(self, monkeypatch):
        texts, y = np.array([f"text {i}" for i in range(60)]), np.repeat([0, 1, 2], 20)
        monkeypatch.setattr(material, "documents", lambda draw: (texts, y))
        found = material.to_classify(Task(CLASSES, "tdt2:5:1", "TDT2", "tdt2", 60))
        assert not set(found.texts) & set(found.asked)
        assert sorted([*found.texts, *found.asked]) == sorted(texts)
        assert sum(label is not None for label in found.labels) == 15
        truth = {text: f"class {c}" for text, c in zip(texts, y, strict=True)}
        assert [truth[text] for text in found.asked] == found.classes
        assert all(label in (None, truth[text]) for text, label in zip(found.texts, found.labels, strict=True))
        all_told = material.to_classify(Task(CLASSES, "tdt2:all:1", "TDT2", "tdt2", 60))
        assert None not in all_told.labels
        assert list(all_told.asked) == list(found.asked)  # the number of labels changes only labels


class TestKit:
    def test_a_text_is_encoded_once_and_its_time_is_counted_for_everybody(self, tmp_path, monkeypatch):
        clock = iter(np.arange(0.0, 1000.0, 1.0))
        monkeypatch.setattr(kit_module.time, "perf_counter", lambda: next(clock))
        encoders = []

        def load():
            encoders.append(Encoder())
            return encoders[-1]

        first, second = (Kit(tmp_path / "deep" / "vectors.sqlite", load) for _ in range(2))
        made = first.encode(["rose rose", "stock", "rose rose"])
        assert np.array_equal(made, second.encode(["rose rose", "stock", "rose rose"]))
        assert len(encoders) == 1
        assert sorted(encoders[0].asked) == ["rose rose", "stock"]
        assert np.allclose(np.linalg.norm(made, axis=1), 1.0)
        assert first.owed == second.owed == 1.0  # one tick of this clock for the lot of two
        assert second.memory > 0

    def test_what_was_encoded_before_a_stop_is_kept(self, tmp_path, monkeypatch):
        monkeypatch.setattr(kit_module, "LOT", 2)

        class Stops(Encoder):
            def encode(self, texts, **options):
                if self.asked:
                    raise KeyboardInterrupt
                return super().encode(texts, **options)

        with pytest.raises(KeyboardInterrupt):
            Kit(tmp_path / "v", Stops).encode(["rose", "stock", "goal garden", "match team"])
        later = Kit(tmp_path / "v", Encoder)
        assert later.encode(["rose", "stock", "goal garden", "match team"]).shape == (4, 3)
        assert later.encoder.asked == ["match team", "goal garden"]


class TestContestants:
    @pytest.mark.parametrize("who", ["vicinal", "vicinal-auto", "lsi", "nmf", "lda", "minilm"])
    def test_clear_subjects_are_found(self, who, kit):
        texts, classes = made_up()
        found = scores.of_clusters(classes, contestant(CLUSTERS, who).answer(texts, 3, kit))
        assert found["nmi"] > (0.3 if who == "lda" else 0.8)

    @pytest.mark.parametrize("who", [each.name for each in CONTESTANTS if each.contest == CLASSES])
    def test_clear_classes_are_learnt_from_two_labels_each(self, who, kit):
        (texts, classes), (asked, truth) = made_up(), made_up(4, seed=1)
        labels = [f"class {c}" if i % 15 < 2 else None for i, c in enumerate(classes)]
        found = contestant(CLASSES, who).answer(texts, labels, asked, kit)
        assert scores.of_classes([f"class {c}" for c in truth], found, 6)["accuracy"] > 0.9

    def test_the_classifier_is_used_where_the_library_has_one_and_the_index_where_not(self, kit, monkeypatch):
        seen = []

        class Classifier:
            def __init__(self, random_state):
                pass

            def fit(self, texts, y):
                seen.extend(y)
                return self

            def predict(self, texts):
                return ["one" for _ in texts]

        monkeypatch.setattr(vicinal, "Classifier", Classifier, raising=False)
        assert ours.classify(["a", "b"], ["one", None], ["c"], kit) == ["one"]
        assert seen == ["one", None]
        monkeypatch.setattr(vicinal, "Classifier", None)
        monkeypatch.setattr(ours, "index_classify", lambda *given: ["from an index"])
        assert ours.classify(["a", "b"], ["one", None], ["c"], kit) == ["from an index"]

    def test_an_index_classifies_and_searches(self, kit):
        (texts, classes), (asked, truth) = made_up(), made_up(4, seed=1)
        found = ours.index_classify(texts, [f"class {c}" if i % 3 == 0 else None for i, c in enumerate(classes)], asked, kit)
        assert np.mean([label == f"class {c}" for label, c in zip(found, truth, strict=True)]) > 0.9
        for search in (ours.search, vectors.cosines):
            (ranking,) = search(texts, ["stock market"], kit)
            assert set(ranking[:15].tolist()) == set(range(15, 30))

    def test_bm25s_ranks_what_it_scores_and_leaves_out_what_has_nothing(self, kit, monkeypatch):
        class BM25:
            def index(self, tokens, show_progress):
                self.tokens = tokens

            def get_scores(self, asked):
                return np.array([float(len(set(each) & set(asked))) for each in self.tokens])

        package = types.SimpleNamespace(BM25=BM25, tokenize=lambda texts, **options: [text.split() for text in texts])
        monkeypatch.setitem(sys.modules, "bm25s", package)
        monkeypatch.setitem(sys.modules, "Stemmer", types.SimpleNamespace(Stemmer=lambda language: None))
        found = words.bm25s(["a b", "c", "b c", "d"], ["b c", ""], kit)
        assert [each.tolist() for each in found] == [[2, 0, 1], []]

    @pytest.mark.parametrize(
        ("who", "options"),
        [("bertopic", {}), ("bertopic-auto", {"nr_topics": "auto"}), ("bertopic-k", {"nr_topics": 4}), ("bertopic-kmeans", None)],
    )
    def test_bertopic_gets_vectors_and_what_it_is_told(self, who, options, kit, monkeypatch):
        given = {}

        class BERTopic:
            def __init__(self, umap_model, **others):
                given.update(others)

            def fit_transform(self, texts, embeddings):
                assert embeddings.shape == (len(texts), 3)
                return [-1, *[0] * (len(texts) - 1)], None

        monkeypatch.setitem(sys.modules, "bertopic", types.SimpleNamespace(BERTopic=BERTopic))
        monkeypatch.setitem(sys.modules, "umap", types.SimpleNamespace(UMAP=lambda **settings: settings))
        assert contestant(CLUSTERS, who).answer(made_up()[0], 3, kit).tolist() == [-1] + [0] * 44
        if options is None:
            assert given["hdbscan_model"].n_clusters == 3
        else:
            assert given == options

    def test_turftopic_and_hdbscan_answer_with_a_cluster_per_document(self, kit, monkeypatch):
        class Model:
            def __init__(self, *given, **settings):
                self.encoder = settings.get("encoder")

            def fit_transform(self, texts, embeddings=None):
                return np.array([[0.0, 0.0], *[[0.1, 0.9]] * (len(texts) - 1)])

            def fit_predict(self, Z):
                return np.full(len(Z), -1)

        fake = types.SimpleNamespace(KeyNMF=Model, Topeax=Model, UMAP=lambda **settings: Model(), HDBSCAN=Model)
        for name in ("turftopic", "umap", "hdbscan"):
            monkeypatch.setitem(sys.modules, name, fake)
        texts = made_up()[0]
        assert contestant(CLUSTERS, "keynmf").answer(texts, 2, kit).tolist() == [-1] + [1] * 44
        assert contestant(CLUSTERS, "topeax").answer(texts, 2, kit).tolist() == [0] + [1] * 44
        assert contestant(CLUSTERS, "hdbscan").answer(texts, 2, kit).tolist() == [-1] * 45


class TestScores:
    def test_documents_without_a_cluster_are_one_group_and_their_share_is_told(self):
        classes = np.repeat([0, 1], 4)
        found = scores.of_clusters(classes, [0, 0, 0, 0, -1, -1, 5, 5])
        assert (found["found"], found["classes"], found["outliers"]) == (2, 2, 0.25)
        assert found["accuracy"] == 0.75
        assert scores.of_clusters(classes, classes)["nmi"] == 1.0

    def test_an_answer_for_some_documents_only_is_none(self):
        with pytest.raises(ValueError, match="each of 3"):
            scores.of_clusters(np.arange(3), [0, 1])
        with pytest.raises(ValueError, match="each of 2"):
            scores.of_classes(["a", "b"], ["a"], 1)
        with pytest.raises(ValueError, match="each of 1"):
            scores.of_search([], [np.array([0])], 5)

    def test_accuracy_and_the_mean_of_f1(self):
        found = scores.of_classes(["a", "a", "a", "b"], ["a", "a", "b", ""], 2)
        assert found["accuracy"] == 0.5
        assert found["f1"] == pytest.approx((4 / 5 + 0) / 2)

    def test_a_whole_ranking_is_judged_as_the_other_bench_does(self):
        random = np.random.RandomState(0)
        marks, relevant = random.rand(50), np.array([3, 8, 20, 41])
        precision, gain = measures(marks, relevant)
        found = scores.of_search([np.argsort(-marks)], [relevant], 50)
        assert (found["map"], found["ndcg"]) == (round(precision, 2), round(gain, 2))

    def test_what_was_not_found_adds_nothing(self):
        found = scores.of_search([np.array([7]), np.zeros(0, int)], [np.array([7, 9]), np.array([1])], 50)
        assert found["map"] == 25.0


class TestStore:
    def test_what_was_appended_is_read_and_a_later_line_wins(self, tmp_path):
        file = tmp_path / "lines.jsonl"
        for each in (result(cpu=9.0), result(who="lsi", outcome="timeout"), result(cpu=3.0)):
            append(each, file)
        found, complaints = read(file, KEYS)
        assert found == known(result(who="lsi", outcome="timeout"), result(cpu=3.0))
        assert complaints == []

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ('{"contest": "clu', "no JSON"),
            (json.dumps(asdict(result()) | {"cpu": "long"}), "cpu missing or of another kind"),
            (json.dumps(asdict(result()) | {"more": 1}), "more than a result"),
            (json.dumps(asdict(result(who="magic"))), "no such job: clusters/smart/magic"),
            (json.dumps(asdict(result(outcome="fine"))), "no such job"),
        ],
    )
    def test_a_line_that_is_none_of_ours_is_reported_and_left_out(self, tmp_path, line, reason):
        file = tmp_path / "lines.jsonl"
        file.write_text(line)
        append(result(), file)
        found, complaints = read(file, KEYS)
        assert list(found) == [result().key]
        assert len(complaints) == 1
        assert reason in complaints[0]


FAKE = """
import json, sys, time
contest, task, who, cache, cores, out = sys.argv[1:]
if who == "lsi":
    print("Traceback"); sys.exit("ValueError: no such thing")
if who == "nmf":
    time.sleep(60)
hungry = b"x" * (200 * 2**20)
open(out, "w").write(json.dumps({"figures": {"nmi": 0.5, "cores": int(cores)}, "seconds": 7.0, "cpu": 6.0, "memory": 10}))
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    (tmp_path / "fake_job.py").write_text(FAKE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(run_module, "PAUSE", 0.01)
    return "fake_job"


class TestRun:
    def test_a_job_runs_in_a_process_of_its_own_whose_memory_is_taken(self, fake, tmp_path):
        found = measure(a_job("clusters/smart/vicinal"), Place(HERE, tmp_path / "v", cores=2), "abc", fake)
        assert (found.outcome, found.seconds, found.cpu, found.code, found.cores) == ("done", 7.0, 6.0, "abc", 2)
        assert found.figures == {"nmi": 0.5, "cores": 2}
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts the process that starts another until exec
        assert 200 < found.memory < max(400, own + 50)

    def test_a_job_that_fails_says_why(self, fake, tmp_path):
        found = measure(a_job("clusters/smart/lsi"), Place(HERE, tmp_path / "v"), "abc", fake)
        assert (found.outcome, found.why, found.figures) == ("failed", "ValueError: no such thing", {})

    def test_a_job_that_takes_too_long_is_stopped_and_that_is_its_result(self, fake, tmp_path):
        found = measure(a_job("clusters/smart/nmf"), Place(HERE, tmp_path / "v", timeout=0.5), "abc", fake)
        assert (found.outcome, found.why) == ("timeout", "")
        assert 0.5 <= found.seconds < 30

    def test_a_run_goes_on_where_the_last_one_stopped(self, tmp_path, monkeypatch):
        done, file = [], tmp_path / "lines.jsonl"

        def measured(job, place, code):
            done.append(job.name)
            return result(*job.key, outcome="failed" if job.who.name == "lsi" else "done", code=code)

        monkeypatch.setattr(run_module, "measure", measured)
        monkeypatch.setattr(run_module.subprocess, "run", lambda *given, **options: None)
        chosen = [a_job(f"clusters/smart/{who}") for who in ("lsi", "nmf", "vicinal")]
        versions = {"scikit-learn": "1.9", "vicinal": fingerprint()}
        assert run(chosen[:2], {}, file, Place(HERE), versions) == 1
        results, _ = read(file, KEYS)
        left = outstanding(chosen, results)
        assert [job.who.name for job in left] == ["vicinal"]
        run(left, results, file, Place(HERE), versions)
        assert done == [job.name for job in chosen]
        assert outstanding(chosen, read(file, KEYS)[0]) == []
        assert [job.who.name for job in outstanding(chosen, results, retry=True)] == ["lsi"]

    def test_only_our_own_answers_of_another_state_of_the_library_are_redone_when_asked(self):
        chosen = [a_job("clusters/smart/vicinal"), a_job("clusters/smart/lsi"), a_job("clusters/smart/vicinal-auto")]
        results = known(result(), result(who="lsi"), result(who="vicinal-auto", code=fingerprint()))
        assert outstanding(chosen, results) == []
        assert [job.who.name for job in outstanding(chosen, results, renew=True)] == ["vicinal"]

    def test_peers_that_are_not_installed_are_said_and_left_out(self, capsys):
        chosen = [a_job("clusters/smart/vicinal"), a_job("clusters/smart/bertopic"), a_job("search/med/bm25s")]
        versions = dict.fromkeys(needed(), "1.0") | {"bertopic": None, "umap-learn": None}
        assert [job.who.name for job in able(chosen, versions)] == ["vicinal", "bm25s"]
        assert "BERTopic: umap-learn, bertopic not installed; 1 jobs are left out" in capsys.readouterr().err

    def test_what_is_installed_is_asked_of_the_interpreter_that_runs_the_jobs(self):
        found = installed(HERE, ["numpy", "no-such-package"])
        assert found["no-such-package"] is None
        assert found["numpy"] == np.__version__
        assert found["vicinal"] == fingerprint()

    def test_a_result_says_what_gave_it(self):
        versions = {"vicinal": "0123456789", "scikit-learn": "1.9", "bm25s": "0.3", "PyStemmer": "3.1"}
        assert code_of(contestant(SEARCH, "vicinal"), versions) == "0123456789"
        assert code_of(contestant(SEARCH, "bm25s"), versions) == "bm25s 0.3, PyStemmer 3.1"


class TestJob:
    def test_texts_are_read_clustered_and_judged(self, tmp_path, monkeypatch):
        monkeypatch.setattr(material, "to_cluster", lambda task: ToCluster(*made_up()))
        job_module.main(["clusters", "smart", "nmf", str(tmp_path / "v"), "0", str(tmp_path / "out.json")])
        found = json.loads((tmp_path / "out.json").read_text())
        assert found["figures"]["nmi"] > 0.8
        assert found["seconds"] >= 0

    def test_kept_vectors_cost_what_they_cost_when_they_were_made(self, tmp_path, monkeypatch):
        (texts, classes), (asked, truth) = made_up(), made_up(4, seed=1)
        labels = [f"class {c}" for c in classes]
        monkeypatch.setattr(material, "to_classify", lambda task: ToClassify(texts, labels, asked, [f"class {c}" for c in truth]))

        class Slow(Encoder):
            def encode(self, given, **options):
                kit_module.time.sleep(0.5)
                return super().encode(given, **options)

        monkeypatch.setattr(kit_module.Kit, "encoder", property(lambda self: Slow()))
        found = [job_module.do("classes", "reuters:all:0", "minilm", tmp_path / "v") for _ in range(2)]
        assert all(each["seconds"] >= 0.9 for each in found)  # two lots: labelled texts, and those asked for
        assert all(each["memory"] > 0 for each in found)
        assert found[0]["figures"] == found[1]["figures"]
        assert found[0]["figures"]["labelled"] == 45

    def test_a_collection_is_searched(self, tmp_path, monkeypatch):
        texts, _ = made_up()
        monkeypatch.setattr(material, "to_search", lambda task: retrieval.Task(texts, ["stock market"], [np.arange(15, 30)]))
        assert job_module.do("search", "med", "vicinal", tmp_path / "v")["figures"]["map"] == 100.0


class TestPage:
    def results(self):
        return known(
            result(figures={"nmi": 0.5}),
            result(who="lsi", figures={"nmi": 0.6}, cpu=0.5),
            result(who="nmf", figures={"nmi": 0.7}),
            result(who="lda", outcome="timeout", seconds=1800.0),
            result(task="tdt2", figures={"nmi": 0.9}),
            result(task="tdt2", who="lsi", figures={"nmi": 0.7}),
            result(who="vicinal-auto", figures={"found": 7}),
            result(who="bertopic", figures={"found": 2, "outliers": 0.19}),
            result(CLASSES, "reuters:5:0"),
            result(CLASSES, "reuters:5:0", "svm", figures={"accuracy": 0.7}),
            result(CLASSES, "reuters:5:1", "svm", figures={"accuracy": 0.1}),
            result(CLASSES, "reuters:20:0", "svm"),
            result(SEARCH, "med", figures={"map": 60.0}),
            result(SEARCH, "med", "bm25s", figures={"map": 61.0}, code="bm25s 0.3"),
            result(SEARCH, "med", "minilm", "failed", why="ValueError: a `name`"),
        )

    def test_the_best_is_bold_and_so_is_every_peer_ahead_of_us(self):
        assert bold({"us": 0.5, "a": 0.6, "b": 0.7, "c": 0.4}, "us", "{:.1f}") == {
            "us": "0.5",
            "a": "**0.6**",
            "b": "**0.7**",
            "c": "0.4",
        }
        assert bold({"us": 5.0, "a": 6.0, "b": 4.0}, "us", "{:.0f}", less=True) == {"us": "5", "a": "6", "b": "**4**"}
        assert bold({"a": 0.6, "b": 0.7}, "us", "{:.1f}") == {"a": "0.6", "b": "0.7"}
        assert bold({"us": 0.6}, "us", "{:.1f}") == {"us": "0.6"}
        assert bold({}, "us", "{:.1f}") == {}

    def test_a_peer_stands_beside_us_on_the_tasks_that_both_have_finished(self):
        found = pair(self.results(), contestant(CLUSTERS, "lsi"))
        assert found.cell(figure("nmi"), "{:.2f}") == "0.65 / **0.70**"
        assert found.ahead(figure("nmi")) == "1 of 2"
        assert found.cell(lambda r: r.cpu, "{:.1f}", less=True) == "**1.0** / 1.5"
        assert pair(self.results(), contestant(CLUSTERS, "nmf")).cell(figure("nmi"), "{:.2f}") == "**0.70** / 0.50"
        assert not pair(self.results(), contestant(CLUSTERS, "lda"))
        assert found.cell(lambda r: 1.0, "{:.0f}") == "1 / 1"

    def test_draws_with_other_numbers_of_labels_are_not_mixed(self):
        (row,) = summary.classes(self.results())
        assert (row["labels per class"], row["draws"], row["accuracy"]) == ("5", 1, "0.700 / **0.800**")

    def test_who_finds_the_number_is_compared_with_vicinal_that_finds_it(self):
        rows = {row["peer"]: row for row in summary.clusters(self.results())}
        assert rows["BERTopic"]["factor of k"] == "**1.5** / 2.3"
        assert rows["BERTopic"]["outliers"] == "19 % / **0 %**"
        assert factor(result(figures={"found": 0, "classes": 8})) == 8.0

    def test_the_page_shows_losses_timeouts_failures_and_who_cannot(self):
        page = report.page(self.results())
        assert "| Cranfield, MED and CISI, whole | held | 0.500 | **0.600** | **0.700** | timeout |  |" in page
        assert "| TDT2, whole | tuning | **0.900** | 0.700 |  |  | – | – | – | – |" in page
        assert "| Cranfield, MED and CISI, whole | 3 | 7 | **2** (19 % out) |" in page
        assert "| Reuters | 5 | 1 | **0.800** | 0.700 |  |  |" in page
        assert "| MED | 60.0 | **61.0** | failed |" in page
        assert "- search/med/minilm: failed after 2 s. `ValueError: a name`" in page
        assert "- clusters/smart/lda: timeout after 1800 s." in page
        assert "- 1 by `bm25s 0.3`." in page

    def test_means_are_over_tasks_that_everybody_has_finished(self):
        assert "**mean of" not in report.page(self.results())
        both = known(
            *(result(SEARCH, "med", who, figures={"map": m}) for who, m in (("vicinal", 60), ("bm25s", 50), ("minilm", 70)))
        )
        assert "| **mean of 1** | 60.0 | 50.0 | **70.0** |" in report.page(both)

    def test_without_results_there_is_a_page_that_says_so(self):
        assert "**Clusters**: no results yet." in report.page({})

    def test_the_summary_is_put_between_the_markers_and_nowhere_else(self, tmp_path):
        readme = tmp_path / "README.md"
        readme.write_text(f"before\n{report.START}\nold\n{report.END}\nafter\n")
        report.write(self.results(), tmp_path / "page.md", readme)
        text = readme.read_text(encoding="utf-8")
        assert text == f"before\n{report.START}\n\n{summary.summary(self.results())}\n\n{report.END}\nafter\n"
        assert summary.summary(self.results()) in (tmp_path / "page.md").read_text(encoding="utf-8")
        report.write(self.results(), tmp_path / "page.md", readme)
        assert readme.read_text(encoding="utf-8") == text
        assert report.shown_in("no markers", self.results()) == "no markers"

    def test_the_pages_that_are_committed_are_those_of_the_results_that_are_committed(self):
        results, complaints = read(store.FILE, KEYS)
        assert complaints == []
        assert report.PAGE.read_text(encoding="utf-8") == report.page(results)
        readme = report.README.read_text(encoding="utf-8")
        assert report.START in readme
        assert report.shown_in(readme, results) == readme


class TestCommand:
    def at(self, tmp_path):
        return ["--results", str(tmp_path / "r.jsonl"), "--page", str(tmp_path / "p.md"), "--readme", str(tmp_path / "none.md")]

    def test_what_would_be_run_can_be_listed_and_chosen(self, tmp_path, capsys):
        append(result(SEARCH, "med", "bm25s"), tmp_path / "r.jsonl")
        assert command.main(["--list", "--only", "search/med/*", "--only", "clusters/smart/lsi", *self.at(tmp_path)]) == 0
        listed = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
        assert listed == ["clusters/smart/lsi", "search/med/vicinal", "search/med/minilm"]

    def test_nothing_that_fits_is_an_error_that_shows_a_name(self, tmp_path, capsys):
        assert command.main(["--only", "nowhere/*", *self.at(tmp_path)]) == 2
        assert "search/med/bm25s" in capsys.readouterr().err
        assert not (tmp_path / "p.md").exists()

    def test_a_report_runs_nothing_and_says_which_lines_it_did_not_use(self, tmp_path, capsys):
        (tmp_path / "r.jsonl").write_text("what is this\n")
        append(result(SEARCH, "med", figures={"map": 43.21}), tmp_path / "r.jsonl")
        before = (tmp_path / "r.jsonl").read_bytes()
        assert command.main(["--report", *self.at(tmp_path)]) == 0
        assert "line 1: no JSON" in capsys.readouterr().err
        assert "43.2" in (tmp_path / "p.md").read_text(encoding="utf-8")
        assert (tmp_path / "r.jsonl").read_bytes() == before

    def test_an_interpreter_that_is_not_there_is_an_error_that_says_what_to_do(self, tmp_path, capsys):
        assert command.main(["--only", "search/med/*", "--python", str(tmp_path / "no-python"), *self.at(tmp_path)]) == 2
        assert "`make leaderboard` makes it" in capsys.readouterr().err

    def test_a_run_that_is_stopped_keeps_what_it_found_and_writes_the_page(self, tmp_path, monkeypatch, capsys):
        def stopped(left, results, asked):
            results[result(SEARCH, "med").key] = result(SEARCH, "med", figures={"map": 43.21})
            raise KeyboardInterrupt

        monkeypatch.setattr(command, "_run", stopped)
        assert command.main(["--only", "search/med/*", *self.at(tmp_path)]) == 130
        assert "goes on from there" in capsys.readouterr().err
        assert "43.2" in (tmp_path / "p.md").read_text(encoding="utf-8")

    def test_the_interpreter_is_the_one_that_was_named(self, monkeypatch):
        monkeypatch.delenv(run_module.VARIABLE, raising=False)
        assert command.interpreter(Path("a")) == Path("a")
        monkeypatch.setattr(command, "PYTHON", Path("/no/such/python"))
        assert command.interpreter(None) == HERE
        monkeypatch.setenv(run_module.VARIABLE, "b")
        assert command.interpreter(None) == Path("b")

    def test_jobs_know_their_names(self):
        assert Job(tasks()[0], CONTESTANTS[0]).name == "clusters/tdt2/vicinal"
