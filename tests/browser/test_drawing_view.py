"""The drawing and the colours of the page: dark and light, names beside their wheels, what is shown by the chain."""

import pytest

SIZES = pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["1280", "390"])

CONTRASTS = """() => {
    const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const parts = text => text.match(/[\\d.]+/g).map(Number);
    const ground = element => {
        for (let e = element; e; e = e.parentElement) {
            const c = parts(getComputedStyle(e).backgroundColor);
            if (c.length < 4 || c[3] > 0) return c;
        }
        return [255, 255, 255];
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || !element.checkVisibility()) continue;
        if (element.closest('script, style, noscript, :disabled, [aria-hidden=true], .visually-hidden')) continue;
        const [a, b] = [light(parts(getComputedStyle(element).color)), light(ground(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        found.push([contrast, element.className, element.textContent.trim().slice(0, 40)]);
    }
    return found.sort((a, b) => a[0] - b[0]);
}"""

GROUND = """canvas => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    context.drawImage(canvas, 2, 2, 1, 1, 0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_in_light_and_dark(scheme, size, opened, report_of, screenshots):
    report = opened(report_of("timing-06b"), size, color_scheme=scheme)
    report.wait_for("c.frames > 70")
    assert report.overflow() <= 0
    report.keep(screenshots / f"drawing-{scheme}-{size[0]}.png")
    contrasts = report.page.evaluate(CONTRASTS)
    assert len(contrasts) > 200
    assert [each for each in contrasts if each[0] < 4.5] == []
    ground = report.canvas().evaluate(GROUND)
    assert max(ground) < 60 if scheme == "dark" else min(ground) > 240


def test_the_reader_chooses_and_paper_stays_light(opened, report_of, screenshots):
    report = opened(report_of("timing-06b"), color_scheme="light")
    page = report.page
    page.locator(".appearance select").select_option("dark")
    report.settle()
    assert max(report.canvas().evaluate(GROUND)) < 60
    page.emulate_media(media="print")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert min(report.canvas().evaluate(GROUND)) > 240
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    report.settle()
    assert max(report.canvas().evaluate(GROUND)) < 60
    page.reload()  # what was chosen is kept
    report.wait_for("c.frames > 70")
    assert max(report.canvas().evaluate(GROUND)) < 60
    page.locator(".appearance select").select_option("system")
    report.settle()
    assert min(report.canvas().evaluate(GROUND)) > 240
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(100)
    assert max(report.canvas().evaluate(GROUND)) < 60
