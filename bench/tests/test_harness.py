"""Run: python3 -m unittest discover bench/tests"""

import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import chart, httpload, load, measure, report, streamload, table, tlsload  # noqa: E402

H2LOAD = """
finished in 2.00s, 331365.00 req/s, 19.28MB/s
requests: 662730 total, 662830 started, 662730 done, 662720 succeeded, 3 failed, 4 errored, 2 timeout
status codes: 662700 2xx, 0 3xx, 20 4xx, 0 5xx
traffic: 38.55MB (40426530) total, 1.26MB (1325580) headers (space savings 94.74%), 19.59MB (20544630) data
                     min         max         mean         sd        +/- sd
time for request:       52us      2.21ms       157us        51us    89.52%
"""


class H2loadOutput(unittest.TestCase):
    def test_figures_are_read(self):
        figures = load.parse(H2LOAD)
        self.assertEqual(figures["requests"], 662730)
        self.assertEqual(figures["requests_per_second"], 331365.0)
        self.assertEqual(figures["mean_micros"], 157)
        self.assertEqual(figures["max_micros"], 2210)
        self.assertEqual(figures["bytes_per_reply"], 61)

    def test_every_kind_of_failure_counts(self):
        self.assertEqual(load.parse(H2LOAD)["failed"], 3 + 4 + 2 + 20)

    def test_output_without_figures_is_refused(self):
        with self.assertRaises(RuntimeError):
            load.parse("finished in 2.00s, 0.00 req/s\n")


class HandshakesOutput(unittest.TestCase):
    def test_figures_are_read(self):
        self.assertEqual(tlsload.parse("3000 1500 1 TLSv1.3\n", 2),
                         {"handshakes": 3000, "handshakes_per_second": 1500, "failed": 1, "resumed": 0.5, "tls_minor": 3})

    def test_other_output_is_refused(self):
        with self.assertRaises(RuntimeError):
            tlsload.parse("Traceback (most recent call last)", 2)


WRK = """Running 1s test @ http://127.0.0.1:7000/echo.Echo/Echo
  1 threads and 256 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    56.54ms   23.10ms 189.02ms   72.13%
    Req/Sec     4.57k   210.04     4.90k    70.00%
  4580 requests in 1.00s, 6.60MB read
  Socket errors: connect 0, read 1, write 2, timeout 3
  Non-2xx or 3xx responses: 4
Requests/sec:   4569.22
Transfer/sec:      6.58MB
"""


class WrkOutput(unittest.TestCase):
    def test_figures_are_read(self):
        figures = httpload.parse_wrk(WRK)
        self.assertEqual(figures["requests"], 4580)
        self.assertEqual(figures["requests_per_second"], 4569.22)
        self.assertEqual(figures["mean_micros"], 56540)
        self.assertEqual(figures["max_micros"], 189020)

    def test_every_kind_of_failure_counts(self):
        self.assertEqual(httpload.parse_wrk(WRK)["failed"], 1 + 2 + 3 + 4)

    def test_other_output_is_refused(self):
        with self.assertRaises(RuntimeError):
            httpload.parse_wrk("unable to connect")

    def test_the_body_is_that_of_the_rps_benchmark(self):
        self.assertEqual(len(httpload.ECHO_BODY), 1351)


class Scenarios(unittest.TestCase):
    def test_names_and_shapes(self):
        self.assertEqual(load.scenario("3b"), (100, 10))
        self.assertEqual(load.scenario("50x20"), (50, 20))
        with self.assertRaises(ValueError):
            load.scenario("4c")

    def test_median_of_rounds_and_sum_of_failures(self):
        runs = [{"cpu_micros": c, "failed": f} for c, f in ((5.0, 0), (1.0, 2), (3.0, 1))]
        figures = measure.medians({"2b": {"a": runs}})["2b"]["a"]
        self.assertEqual(figures["cpu_micros"], 3.0)
        self.assertEqual((figures["cpu_micros_least"], figures["cpu_micros_most"]), (1.0, 5.0))
        self.assertEqual(figures["failed"], 3)


class Streams(unittest.TestCase):
    RAW = {"messages": 600, "calls": 3, "failed": 1, "seconds": 2.0, "client_cpu_seconds": 0.5}

    def test_rates_follow_from_counts(self):
        figures = streamload.figures(self.RAW)
        self.assertEqual(figures["messages_per_second"], 300)
        self.assertEqual(figures["client_cpus"], 0.25)
        self.assertEqual(figures["failed"], 1)

    def test_large_messages_are_judged_by_the_megabyte(self):
        run = dict(streamload.figures(self.RAW), cpu_micros=50.0, rss_bytes=0)
        medians = measure.medians({s: {"a": [run]} for s in ("down-10", "down-100k")})
        text = report.stream_tables(medians, streamload.SCENARIOS, streamload.LARGE_BYTES, "a")
        small, large = text.split("### down-")[1:]
        self.assertIn("CPU µs/message", small)
        self.assertIn("50–50", small)
        self.assertIn("CPU µs/MB", large)
        self.assertIn("500–500", large)

    def test_what_is_checked_is_what_the_methods_promise(self):
        self.assertEqual(streamload.CALLS["PingPong"][0], streamload.CALLS["PingPong"][1])
        self.assertEqual(len(streamload.CALLS["Download"][1]), 3 * (5 + 2 + 4))

    def test_warm_up_has_every_scenario(self):
        self.assertEqual(sorted(streamload.WARM_SCENARIOS), sorted(streamload.SCENARIOS))

    def test_servers_are_chosen_by_what_they_serve(self):
        self.assertIn("grpc-java", table.load("streams"))
        self.assertIn("grpc-java", table.load(table.GREETER))
        self.assertNotIn("streams-inline", table.load(table.GREETER))
        self.assertNotIn("floor", table.load("streams"))


class Servers(unittest.TestCase):
    def test_every_row_can_be_built_and_started(self):
        for name, server in table.load().items():
            with self.subTest(name):
                for key in ("label", "sources", "needs"):
                    self.assertIn(key, server.row)
                for source in server.row["sources"].split():
                    self.assertTrue((table.ROOT / source).exists(), source)
                if server.jvm:
                    self.assertTrue((table.ROOT / server.row["module"] / "pom.xml").exists())
                else:
                    self.assertIn("7123", server.command(7123, "64m"))


class Reports(unittest.TestCase):
    def test_columns_line_up(self):
        lines = report.markdown_table(["server", "µs"], [["a", "1.00"], ["longer name", "10.00"]]).splitlines()
        self.assertEqual(len({len(line) for line in lines}), 1)

    def test_chart_is_well_formed_and_has_a_bar_per_value(self):
        svg = chart.bars("A & B", "<method>", [("2b", [("floor", 1.0), ("peer", 4.0)])], str)
        root = xml.fromstring(svg)
        bars = [e for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("class") != "page"]
        self.assertEqual(len(bars), 2)
        self.assertAlmostEqual(float(bars[1].get("width")) / float(bars[0].get("width")), 4.0, places=1)


if __name__ == "__main__":
    unittest.main()
