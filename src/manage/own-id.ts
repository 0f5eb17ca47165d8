import { Injectable, type PipeTransform } from '@nestjs/common';
import { notFound } from '../platform/problems/problem.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';

/** Checks an ID in the path of a screen. */
@Injectable()
export class OwnId implements PipeTransform<string, string> {
  /** @throws Problem 404 `not_found` */
  transform(id: string): string {
    if (!UUID_PATTERN.test(id)) throw notFound('resource');
    return id.toLowerCase();
  }
}
