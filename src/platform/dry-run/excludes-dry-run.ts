import { SetMetadata } from '@nestjs/common';

/** Metadata key: the reason why an operation has no dry run. */
export const NO_DRY_RUN = 'dry-run:none';

/**
 * Excludes an operation from dry runs, because its effect is not in the database and cannot be rolled back.
 *
 *     @ExcludesDryRun('The operation only sends a message')
 */
export const ExcludesDryRun = (reason: string) => SetMetadata(NO_DRY_RUN, reason);
