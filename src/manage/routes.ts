import { applyDecorators, Get, Post, SetMetadata, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Public } from '../platform/auth/access.decorators.js';
import { IGNORES_INPUT } from '../platform/validation/input.guard.js';
import { ConsoleErrors } from './console-errors.js';
import { CONSOLE_ACCESS, CONSOLE_UPLOAD, type ConsoleAccess, ConsoleGuard } from './console.guard.js';

const route = (method: MethodDecorator, access: ConsoleAccess) =>
  applyDecorators(
    method,
    Public(), // of API keys: the guard of the console decides
    SetMetadata(IGNORES_INPUT, true),
    SetMetadata(CONSOLE_ACCESS, access),
    ApiExcludeEndpoint(),
    UseGuards(ConsoleGuard),
    UseFilters(ConsoleErrors),
  );

/**
 * A screen of the console. It changes nothing.
 *
 *     @Screen('incidents/:id', 'incidents:read')
 *     show(@Visiting() visit: Visit, @Param('id') id: string): Promise<Reply>
 */
export const Screen = (path: string, access: ConsoleAccess) => route(Get(path), access);

/** The handler of a form, whose fields are in `Visit.sent`. */
export const Form = (path: string, access: ConsoleAccess) => route(Post(path), access);

/** The handler of a form with a file of at most `maxBytes`, which is in `Visit.file`. */
export const Upload = (path: string, access: ConsoleAccess, maxBytes: number) =>
  applyDecorators(Form(path, access), SetMetadata(CONSOLE_UPLOAD, maxBytes));
