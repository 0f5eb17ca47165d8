import type { Page } from 'playwright-core';

/** Layout shifts since the page was opened. */
export const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const shifts: string[] = [];
        const add = (entries: PerformanceEntry[]) =>
          shifts.push(...entries.map((entry) => JSON.stringify(entry)));
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // After two frames, the changes by the script are painted and their shifts reported.
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            setTimeout(() => {
              add(observer.takeRecords());
              resolve(shifts);
            }),
          ),
        );
      }),
  );
