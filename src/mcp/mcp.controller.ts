import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyKey } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { MAX_BODY_BYTES, TakesFile } from '../platform/validation/body.js';
import { McpServer } from './mcp-server.js';

/** Headers that the transport of the SDK checks. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * The Model Context Protocol over "Streamable HTTP", without sessions and streams. It is no operation of the REST API, so the
 * OpenAPI document does not contain it.
 */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(private readonly server: McpServer) {}

  @Post()
  @HttpCode(200)
  @AnyKey()
  @TakesFile(['application/json'], 'A JSON-RPC message.', {}, MAX_BODY_BYTES)
  async receive(
    @CurrentActor('mcp') actor: Actor,
    @Body() body: Uint8Array,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const headers = HEADERS.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const result = await this.server.respond(actor, body, Object.fromEntries(headers), String(request.id));
    response.status(result.status);
    for (const name of ['content-type', 'allow']) {
      const value = result.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    return result.text();
  }
}
