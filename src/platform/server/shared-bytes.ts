const MIB = 1024 * 1024;
/** Limit of one API key. */
export const MAX_BYTES_OF_KEY = 16 * MIB;
const MAX_BYTES = 64 * MIB;

/** Owner of bytes. */
export interface Holder {
  actor?: { id: string | null; organization_id: string } | undefined;
}

/** The limit that additional bytes would exceed, and the bytes that its owner already uses. */
export interface Excess {
  of: 'key' | 'organization' | 'all';
  held: number;
}

/**
 * Counts bytes in memory by API key and organization. A key can use 16 MiB, and all keys together 64 MiB. An organization can
 * use as many bytes as remain free, so half of all bytes if other organizations use none. This prevents one organization from
 * using all the memory.
 */
export class SharedBytes {
  private total = 0;
  /** By API key ID and organization ID. */
  private readonly held = new Map<string, number>();

  /** Bytes of all owners. */
  get all(): number {
    return this.total;
  }

  /**
   * Returns the limit that additional bytes would exceed, if any.
   * @param maxOfKey limit of this key
   */
  excess({ actor }: Holder, bytes: number, maxOfKey = MAX_BYTES_OF_KEY): Excess | undefined {
    const ofKey = this.of(actor?.id ?? undefined);
    if (ofKey + bytes > maxOfKey) return { of: 'key', held: ofKey };
    const left = MAX_BYTES - this.total - bytes;
    if (left < 0) return { of: 'all', held: this.total };
    const ofOrganization = this.of(actor?.organization_id);
    return ofOrganization > 0 && ofOrganization + bytes > left
      ? { of: 'organization', held: ofOrganization }
      : undefined;
  }

  /** Adds bytes; a negative number removes them. */
  add({ actor }: Holder, bytes: number): void {
    this.total += bytes;
    for (const holder of new Set([actor?.id ?? '', actor?.organization_id ?? ''])) {
      const held = this.of(holder) + bytes;
      if (held > 0) this.held.set(holder, held);
      else this.held.delete(holder);
    }
  }

  private of(holder = ''): number {
    return this.held.get(holder) ?? 0;
  }
}
