import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Prints, at the end of a run, the number of skipped tests and their missing requirements. */
export class SkippedReporter implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tags = this.vitest?.config.tags ?? [];
    const counts = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped'))
        for (const { name, description, skip } of tags)
          if (skip && description && test.tags.includes(name))
            counts.set(description, (counts.get(description) ?? 0) + 1);
    for (const [description, count] of counts)
      this.vitest?.logger.log(`      Skipped  ${count} that need ${description}`);
  }
}
