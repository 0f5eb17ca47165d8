import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/access.decorators.js';
import { NeverLimited } from '../server/rate-limit.js';
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

/** What an orchestrator asks. No key is needed, nothing is told but yes or no, and it is never asked too often. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Public()
  @NeverLimited()
  @ApiOperation({ operationId: 'isLive', summary: 'Check that the process responds' })
  @ApiOkResponse(OK)
  live(): { data: { status: 'ok' } } {
    return { data: { status: 'ok' } };
  }

  /** 503 `unavailable` when the database does not answer within a second, or takes no writes. */
  @Get('ready')
  @Public()
  @NeverLimited()
  @ApiOperation({
    operationId: 'isReady',
    summary: 'Check that the database responds within a second and accepts writes',
  })
  @ApiOkResponse(OK)
  async ready(): Promise<{ data: { status: 'ok' } }> {
    await this.readiness.check();
    return { data: { status: 'ok' } };
  }
}
