/** The list of sections shows which one is read. */

export function startNav(page: Document): void {
  const nav = page.querySelector("body > nav");
  if (!nav) return;
  const links = [...nav.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const sections = links.flatMap((link) => {
    const section = page.getElementById(decodeURIComponent(link.hash.slice(1)));
    return section ? [{ link, section }] : [];
  });
  let current: HTMLAnchorElement | null = null;
  const mark = () => {
    let found = sections[0];
    for (const each of sections) if (each.section.getBoundingClientRect().top <= 140) found = each;
    if (innerHeight + scrollY >= page.documentElement.scrollHeight - 2) found = sections[sections.length - 1];
    if (!found || found.link === current) return;
    current?.removeAttribute("aria-current");
    current = found.link;
    current.setAttribute("aria-current", "true");
    if (nav.scrollWidth > nav.clientWidth) nav.scrollTo({ left: current.offsetLeft - nav.clientWidth / 3 });
  };
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
  mark();
}
