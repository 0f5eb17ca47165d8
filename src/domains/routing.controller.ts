import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../platform/auth/access.decorators.js';
import { normalizedHost } from '../platform/server/host.js';
import { ROUTING_PATH, RoutingToken } from './routing-token.js';

/** Serves the token of each host, without a key and without the database. */
@ApiTags('Status pages')
@Controller(ROUTING_PATH)
export class RoutingController {
  constructor(private readonly token: RoutingToken) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'getRoutingToken',
    summary: 'Get the token that shows which instance and which `Host` a request has reached',
  })
  @ApiOkResponse({
    description: 'The host of the request, or an empty text if it is an address, and its token.',
    schema: {
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          required: ['host', 'token'],
          properties: {
            host: { type: 'string', maxLength: 253 },
            token: { type: 'string', maxLength: 100 },
          },
        },
      },
    },
  })
  get(@Req() request: Request): { data: { host: string; token: string } } {
    const host = normalizedHost(request.headers.host) ?? '';
    return { data: { host, token: this.token.of(host) } };
  }
}
