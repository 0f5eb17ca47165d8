import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RespondsWithOne } from '../openapi/responses.js';
import { AnyKey } from '../auth/access.decorators.js';
import { ApiKeysService } from './api-keys.service.js';
import { type CurrentApiKey, CurrentKey } from '../auth/current-key.js';
import { MeDto } from './dto/me.dto.js';

@ApiTags('API keys')
@Controller('v1/me')
export class MeController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @AnyKey()
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the API key in use: its organization, projects, scopes and expiry',
  })
  @RespondsWithOne(MeDto)
  async get(@CurrentKey() key: CurrentApiKey): Promise<{ data: MeDto }> {
    return { data: await this.apiKeys.describe(key) };
  }
}
