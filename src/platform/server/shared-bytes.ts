const MIB = 1024 * 1024;
/** Of one API key. */
export const MAX_BYTES_OF_KEY = 16 * MIB;
const MAX_BYTES = 64 * MIB;

/** Who holds bytes. */
export interface Holder {
  user?: { id: string; organization_id: string } | undefined;
}

/** The limit that more bytes would exceed, and what its owner holds. */
export interface Excess {
  of: 'key' | 'organization' | 'all';
  held: number;
}

/**
 * Counts bytes in memory by API key and organization. A key may hold 16 MiB, and all together 64 MiB. An organization may hold as
 * many as are left free: half of all if the others have none. So its keys together cannot keep others out.
 */
export class SharedBytes {
  private total = 0;
  /** By the ids of API keys and of organizations. */
  private readonly held = new Map<string, number>();

  /** The bytes that all hold together. */
  get all(): number {
    return this.total;
  }

  /** The limit that so many more bytes would exceed, if any. */
  excess({ user }: Holder, bytes: number): Excess | undefined {
    const ofKey = this.of(user?.id);
    if (ofKey + bytes > MAX_BYTES_OF_KEY) return { of: 'key', held: ofKey };
    const left = MAX_BYTES - this.total - bytes;
    if (left < 0) return { of: 'all', held: this.total };
    const ofOrganization = this.of(user?.organization_id);
    return ofOrganization > 0 && ofOrganization + bytes > left
      ? { of: 'organization', held: ofOrganization }
      : undefined;
  }

  /** Adds bytes; a negative number removes them. */
  add({ user }: Holder, bytes: number): void {
    this.total += bytes;
    for (const holder of new Set([user?.id ?? '', user?.organization_id ?? ''])) {
      const held = this.of(holder) + bytes;
      if (held > 0) this.held.set(holder, held);
      else this.held.delete(holder);
    }
  }

  private of(holder = ''): number {
    return this.held.get(holder) ?? 0;
  }
}
