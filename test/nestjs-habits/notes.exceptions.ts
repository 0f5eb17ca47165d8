import {
  BadGatewayException,
  BadRequestException,
  ConflictException,
  ForbiddenException,
  GoneException,
  HttpException,
  ImATeapotException,
  InternalServerErrorException,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
  UnprocessableEntityException,
} from '@nestjs/common';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { unavailable } from '../../src/platform/problems/problem.js';

/** The exceptions that a handler can throw, by the name that a test requests. */
export const EXCEPTIONS: Record<string, () => Error> = {
  BadRequest: () => new BadRequestException('The moon is wrong'),
  Unauthorized: () => new UnauthorizedException('Who?'),
  Forbidden: () => new ForbiddenException('Not you'),
  NotFound: () => new NotFoundException('No such note'),
  NotFoundAlone: () => new NotFoundException(),
  Conflict: () => new ConflictException('Taken'),
  Unprocessable: () => new UnprocessableEntityException('Odd'),
  Gone: () => new GoneException('Gone for good'),
  Teapot: () => new ImATeapotException('Short and stout'),
  PlainHttp: () => new HttpException('Pay first', 402),
  Odd: () => new HttpException('Very odd', 499),
  WithMembers: () => new ConflictException({ message: 'Taken', by: 'Ada', status: 200, error: 'x' }),
  PlainWithMembers: () => new HttpException({ until: 5 }, 410),
  HiddenMembers: () => new InternalServerErrorException({ message: 'x', password: 'hunter2' }),
  PreconditionFailed: () => new HttpException('Changed', 412),
  TooMany: () => new HttpException('Slowly', 429),
  Internal: () => new InternalServerErrorException('password=hunter2'),
  BadGateway: () => new BadGatewayException('password=hunter2'),
  Unavailable: () => new ServiceUnavailableException('password=hunter2'),
  OfError: () => new BadRequestException(new Error('password=hunter2')),
  OfErrorPlain: () => new HttpException(new Error('password=hunter2'), 409),
  OfErrorUncoded: () => new HttpException(new Error('password=hunter2'), 410),
  Caused: () => new ConflictException('Taken', { cause: httpError(418, 'password=hunter2', true) }),
  Long: () => new BadRequestException(`${'a'.repeat(499)}\u{1F680}`),
  Mixed: () => new BadRequestException(['First', { a: 1 }, Object.create(null), 'Second']),
  NoText: () => new BadRequestException([{ a: 1 }, Object.create(null)]),
  HttpError: () => httpError(418, 'Short and stout', true),
  HttpErrorHidden: () => httpError(404, 'password=hunter2', false),
  Deliberate: () => unavailable(),
  UnavailableCaused: () => {
    const cause = new Error(`no answer to sp_${'0'.repeat(46)}`, { cause: 'away' });
    return new ServiceUnavailableException('Later', { cause });
  },
  Released: () => new QueryRunnerAlreadyReleasedError(),
  ProviderReleased: () => new QueryRunnerProviderAlreadyReleasedError(),
  QueryWithoutCode: () => new QueryFailedError('SELECT', [], new Error('password=hunter2')),
  QueryWithNumber: () =>
    new QueryFailedError('SELECT', [], Object.assign(new Error('secret'), { code: 12345 })),
  NullColumn: () =>
    new QueryFailedError('', [], Object.assign(new Error('secret'), { code: '23502', column: 'title' })),
  HttpErrorLowest: () => httpError(400, 'Odd', true),
  HttpErrorBelow: () => httpError(399, 'password=hunter2', true),
  HttpErrorRedirect: () => httpError(302, 'password=hunter2', true),
  HttpErrorUnknown: () => httpError(799, 'password=hunter2', true),
  HttpErrorText: () => Object.assign(httpError(404, 'password=hunter2', true), { statusCode: '404' }),
  // The response of another service, as its client throws it.
  Upstream: () => Object.assign(new Error('password=hunter2'), { statusCode: 404 }),
};

/** An error of the package http-errors, which libraries for Express throw. */
function httpError(status: number, message: string, expose: boolean): Error {
  return Object.assign(new Error(message), { status, statusCode: status, expose });
}
