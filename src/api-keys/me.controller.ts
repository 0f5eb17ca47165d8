import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RawJson } from '../platform/database/raw-json.js';
import { RespondsWithOne } from '../platform/openapi/responses.js';
import { AnyKey } from '../platform/auth/access.decorators.js';
import { ApiKeysService } from './api-keys.service.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { MeDto } from './dto/me.dto.js';

@ApiTags('API keys')
@Controller('v1/me')
export class MeController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @AnyKey()
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the organization, projects, scopes and expiry of the calling API key',
  })
  @RespondsWithOne(MeDto)
  async get(@CurrentActor() actor: Actor): Promise<{ data: RawJson<MeDto> }> {
    return { data: await this.apiKeys.describe(actor) };
  }
}
