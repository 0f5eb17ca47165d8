import type { DomainChanges } from '../cluster/messages.js';
import { normalizedHost } from '../server/host.js';

/** Domains for which a proxy may obtain certificates. */
export class DomainSet {
  private names = new Set<string>();

  /** Returns whether it contains a domain, in any spelling. */
  has(domain: string | undefined): boolean {
    const name = normalizedHost(domain);
    return name !== undefined && this.names.has(name);
  }

  all(): string[] {
    return [...this.names];
  }

  change({ added, removed, isComplete }: DomainChanges): void {
    if (isComplete) this.names = new Set(added);
    else for (const name of added) this.names.add(name);
    for (const name of removed) this.names.delete(name);
  }
}
