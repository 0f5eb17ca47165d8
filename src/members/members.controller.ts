import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import {
  RespondsWithCreated,
  RespondsWithList,
  RespondsWithNothing,
  RespondsWithOne,
  RespondsWithProblems,
} from '../platform/openapi/responses.js';
import { type ListPage, ListQuery } from '../platform/pagination/list-page.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { CreateMemberDto } from './dto/create-member.dto.js';
import { MemberDto } from './dto/member.dto.js';
import { UpdateMemberDto } from './dto/update-member.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('v1/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @RequireScope('members:read')
  @ApiOperation({
    operationId: 'listMembers',
    summary: 'List the members of the organization, newest first',
    description:
      'If the API key is restricted to some projects, the list contains only members who are restricted to a subset of these projects.',
  })
  @RespondsWithList(MemberDto)
  async list(@CurrentActor() actor: Actor, @Query() query: ListQuery): Promise<ListPage<MemberDto>> {
    return this.members.list(actor, query);
  }

  @Post()
  @RequireScope('members:write')
  @ApiOperation({
    operationId: 'createMember',
    summary: 'Invite a member with at most the permissions of the API key',
    description:
      'If the instance can send mail, the member gets a link to sign in. No response contains such a link.',
  })
  @RespondsWithCreated(MemberDto, ({ id }) => `/v1/members/${id}`)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey()
  async create(@CurrentActor() actor: Actor, @Body() member: CreateMemberDto): Promise<{ data: MemberDto }> {
    return { data: await this.members.create(actor, member) };
  }

  @Get(':id')
  @RequireScope('members:read')
  @ApiOperation({ operationId: 'getMember', summary: 'Get a member' })
  @RespondsWithOne(MemberDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<MemberDto> }> {
    return { data: await this.members.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('members:write')
  @ApiOperation({
    operationId: 'updateMember',
    summary: 'Update a member; omitted fields keep their values',
    description: 'A changed role, status or list of projects ends all sessions of the member.',
  })
  @RespondsWithOne(MemberDto)
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateMemberDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<MemberDto> }> {
    return { data: await this.members.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('members:write')
  @ApiOperation({
    operationId: 'deleteMember',
    summary: 'Delete a member, which ends all sessions of the member',
  })
  @RespondsWithNothing()
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.members.delete(actor, id, expected);
  }
}
