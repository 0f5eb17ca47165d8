import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  RespondsWithCreated,
  RespondsWithNothing,
  RespondsWithOne,
  RespondsWithList,
  RespondsWithProblems,
} from '../platform/openapi/responses.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { type ListPage, ListQuery } from '../platform/pagination/list-page.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { ApiKeysService } from './api-keys.service.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { ApiKeyDto, NewApiKeyDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';

@ApiTags('API keys')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @RequireScope('api_keys:read')
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List the API keys of the organization, newest first',
    description:
      'The list includes revoked and expired keys. If the calling key is restricted to some projects, the list contains only keys that are restricted to a subset of these projects.',
  })
  @RespondsWithList(ApiKeyDto)
  async list(@CurrentActor() actor: Actor, @Query() query: ListQuery): Promise<ListPage<ApiKeyDto>> {
    return this.apiKeys.list(actor, query);
  }

  @Post()
  @RequireScope('api_keys:write')
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key with at most the permissions of the calling key',
  })
  @RespondsWithCreated(NewApiKeyDto, ({ id }) => `/v1/api-keys/${id}`)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey('key')
  async create(
    @CurrentActor() actor: Actor,
    @Body() newKey: CreateApiKeyDto,
  ): Promise<{ data: NewApiKeyDto }> {
    return { data: await this.apiKeys.create(actor, newKey) };
  }

  @Get(':id')
  @RequireScope('api_keys:read')
  @ApiOperation({ operationId: 'getApiKey', summary: 'Get an API key, without its secret' })
  @RespondsWithOne(ApiKeyDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<ApiKeyDto> }> {
    return { data: await this.apiKeys.get(actor, id) };
  }

  @Delete(':id')
  @RequireScope('api_keys:write')
  @ApiOperation({ operationId: 'revokeApiKey', summary: 'Revoke an API key immediately' })
  @RespondsWithNothing()
  async revoke(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<void> {
    await this.apiKeys.revoke(actor, id);
  }

  @Post(':id/rotate')
  @RequireScope('api_keys:write')
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Rotate an API key; the old key can stay valid for an overlap period',
  })
  @RespondsWithCreated(NewApiKeyDto, ({ id }) => `/v1/api-keys/${id}`)
  @RespondsWithProblems('forbidden', 'conflict')
  @AcceptsIdempotencyKey('key')
  async rotate(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() rotation: RotateApiKeyDto,
  ): Promise<{ data: NewApiKeyDto }> {
    return { data: await this.apiKeys.rotate(actor, id, rotation) };
  }
}
