"""Bar charts as plain SVG: one panel per scenario, legible on light and dark pages."""

from html import escape

COLUMNS = 2
WIDTH = 960
MARGIN = 24
GAP = 32
TITLE_HEIGHT = 72
PANEL_TITLE_HEIGHT = 30
ROW_HEIGHT = 22
BAR_HEIGHT = 14
LABEL_WIDTH = 140
VALUE_WIDTH = 64

STYLE = """
  svg { color-scheme: light dark; }
  .page { fill: #ffffff; }
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 18px; font-weight: 600; }
  .quiet { fill: #59636e; }
  .panel { font-weight: 600; }
  .value { font-variant-numeric: tabular-nums; }
  .ours { fill: #0b6e99; }
  .peer { fill: #8c959f; }
  .floor { fill: #c9a227; }
  .axis { stroke: #d1d9e0; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; }
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .ours { fill: #4fb3e0; }
    .peer { fill: #6e7681; }
    .floor { fill: #d9b84a; }
    .axis { stroke: #3d444d; }
  }
"""


def bars(title, subtitle, panels, number):
    """panels: [(heading, [(server, value)])]; number: value -> text. Answers the SVG document."""
    panel_width = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    rows = max(len(values) for _, values in panels)
    panel_height = PANEL_TITLE_HEIGHT + rows * ROW_HEIGHT + GAP / 2
    height = MARGIN + TITLE_HEIGHT + panel_height * -(-len(panels) // COLUMNS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}" width="{WIDTH}" height="{height:.0f}">',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height:.0f}"/>',
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 14}">{escape(title)}</text>',
        f'<text class="quiet" x="{MARGIN}" y="{MARGIN + 36}">{escape(subtitle)}</text>',
    ]
    for index, (heading, values) in enumerate(panels):
        x = MARGIN + (index % COLUMNS) * (panel_width + GAP)
        y = MARGIN + TITLE_HEIGHT + (index // COLUMNS) * panel_height
        parts += _panel(x, y, panel_width, heading, values, number)
    parts.append("</svg>\n")
    return "\n".join(parts)


def _panel(x, y, width, heading, values, number):
    left = x + LABEL_WIDTH
    room = width - LABEL_WIDTH - VALUE_WIDTH
    most = max(value for _, value in values) or 1
    top = y + PANEL_TITLE_HEIGHT - 18
    bottom = top + len(values) * ROW_HEIGHT + 2
    parts = [
        f'<text class="panel" x="{x:.1f}" y="{y:.1f}">{escape(heading)}</text>',
        f'<line class="axis" x1="{left:.1f}" y1="{top:.1f}" x2="{left:.1f}" y2="{bottom:.1f}"/>',
    ]
    for row, (server, value) in enumerate(values):
        middle = top + row * ROW_HEIGHT + ROW_HEIGHT / 2
        length = max(1.0, room * value / most)
        parts.append(f'<text x="{left - 8:.1f}" y="{middle + 4:.1f}" text-anchor="end">{escape(server)}</text>')
        parts.append(f'<rect class="{_kind(server)}" x="{left:.1f}" y="{middle - BAR_HEIGHT / 2:.1f}" '
                     f'width="{length:.1f}" height="{BAR_HEIGHT}" rx="2"/>')
        parts.append(f'<text class="value" x="{left + length + 6:.1f}" y="{middle + 4:.1f}">{escape(number(value))}</text>')
    return parts


def _kind(server):
    if server.startswith("peregrine"):
        return "ours"
    return "floor" if server == "floor" else "peer"
