import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CurrentResource } from './current-resource.js';
import { DryRuns } from './dry-runs.js';

/** Runs writes without their effects. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [DryRuns, CurrentResource],
  exports: [DryRuns],
})
export class DryRunModule {}
