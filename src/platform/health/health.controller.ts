import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/access.decorators.js';
import { unavailable } from '../problems/problem.js';
import { GracefulShutdown } from '../server/graceful-shutdown.js';
import { Readiness } from './readiness.js';

const OK = {
  description: 'The check succeeded.',
  schema: {
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: ['status'],
        properties: { status: { type: 'string', enum: ['ok'] } },
      },
    },
  },
};

/** Health checks for orchestrators, without a key and without details. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly shutdown: GracefulShutdown,
  ) {}

  @Get('live')
  @Public()
  @ApiOperation({ operationId: 'isLive', summary: 'Check that the process responds' })
  @ApiOkResponse(OK)
  live(): { data: { status: 'ok' } } {
    return { data: { status: 'ok' } };
  }

  /** 503 `unavailable` if the database does not respond within a second or is read-only, or during shutdown. */
  @Get('ready')
  @Public()
  @ApiOperation({
    operationId: 'isReady',
    summary: 'Check that the database responds within one second and is writable',
  })
  @ApiOkResponse(OK)
  async ready(): Promise<{ data: { status: 'ok' } }> {
    if (this.shutdown.isStopping) throw unavailable();
    await this.readiness.check();
    return { data: { status: 'ok' } };
  }
}
