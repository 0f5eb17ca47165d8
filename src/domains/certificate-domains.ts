import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AdminPort } from '../platform/admin/admin-port.js';
import { DomainDirectory } from './domain-directory.js';

/** Gives the admin server the domains for which a proxy may obtain certificates, which are the verified ones. */
@Injectable()
export class CertificateDomains implements OnModuleInit {
  private pending: Map<string, boolean> | undefined;
  private isLoaded = false;

  constructor(
    private readonly directory: DomainDirectory,
    private readonly adminPort: AdminPort,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    this.adminPort.beforeOpen(async () => {
      if (!this.adapterHost.httpAdapter) return [];
      await this.directory.refresh();
      this.isLoaded = true;
      return Array.from(this.directory.values(), ({ domain }) => domain);
    });
    this.directory.onServed((domain, isServed) => this.change(domain, isServed));
  }

  /** Sends the changes of a read together. */
  private change(domain: string, isServed: boolean): void {
    if (!this.isLoaded) return;
    if (!this.pending) queueMicrotask(() => this.send());
    this.pending ??= new Map();
    this.pending.set(domain, isServed);
  }

  private send(): void {
    const changes = [...(this.pending ?? [])];
    this.pending = undefined;
    const added = changes.flatMap(([domain, isServed]) => (isServed ? [domain] : []));
    const removed = changes.flatMap(([domain, isServed]) => (isServed ? [] : [domain]));
    this.adminPort.changeDomains({ added, removed, isComplete: false });
  }
}
