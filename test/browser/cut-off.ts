import type { Page } from 'playwright-core';

/** Returns short descriptions of elements that are cut off or make the page scroll sideways. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const describeElement = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.textContent ?? '').slice(0, 40)}"`;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width) {
      found.push(`the page is ${document.documentElement.scrollWidth} px wide, the window ${width} px`);
    }
    /** Returns whether an ancestor can scroll to the element. */
    const scrolls = (element: Element): boolean => {
      for (let one = element.parentElement; one; one = one.parentElement) {
        if (['auto', 'scroll'].includes(getComputedStyle(one).overflowX)) return true;
      }
      return false;
    };
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility() || element.closest('svg') || (element.textContent ?? '').trim() === '')
        continue;
      const { overflowX, overflowY, textOverflow, clip, clipPath } = getComputedStyle(element);
      if (clip !== 'auto' || clipPath !== 'none') continue; // for screen readers
      const { left, right } = element.getBoundingClientRect();
      if ((left < -1 || right > width + 1) && !scrolls(element))
        found.push(`outside: ${describeElement(element)}`);
      const hides = [overflowX, overflowY].some((value) => ['hidden', 'clip'].includes(value));
      const isLarger =
        element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
      if (element.clientWidth > 0 && isLarger && (hides || textOverflow === 'ellipsis')) {
        found.push(`cut: ${describeElement(element)}`);
      }
    }
    return found;
  });
}
