import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import {
  RespondsWithCreated,
  RespondsWithNothing,
  RespondsWithOne,
  RespondsWithList,
  RespondsWithProblems,
} from '../platform/openapi/responses.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { type ListPage, ListQuery } from '../platform/pagination/list-page.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { CreateProjectDto } from './dto/create-project.dto.js';
import { ProjectDto } from './dto/project.dto.js';
import { UpdateProjectDto } from './dto/update-project.dto.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('Projects')
@Controller('v1/projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Get()
  @RequireScope('projects:read')
  @ApiOperation({
    operationId: 'listProjects',
    summary: 'List the projects that the API key can access, newest first',
  })
  @RespondsWithList(ProjectDto)
  async list(@CurrentActor() actor: Actor, @Query() query: ListQuery): Promise<ListPage<ProjectDto>> {
    return this.projects.list(actor, query);
  }

  @Post()
  @RequireScope('projects:write')
  @ApiOperation({
    operationId: 'createProject',
    summary: 'Create a project; requires a key without project restriction',
  })
  @RespondsWithCreated(ProjectDto, ({ id }) => `/v1/projects/${id}`)
  @RespondsWithProblems('forbidden')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() project: CreateProjectDto,
  ): Promise<{ data: ProjectDto }> {
    return { data: await this.projects.create(actor, project) };
  }

  @Get(':id')
  @RequireScope('projects:read')
  @ApiOperation({ operationId: 'getProject', summary: 'Get a project' })
  @RespondsWithOne(ProjectDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<ProjectDto> }> {
    return { data: await this.projects.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('projects:write')
  @ApiOperation({
    operationId: 'updateProject',
    summary: 'Update a project; omitted fields keep their values',
  })
  @RespondsWithOne(ProjectDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateProjectDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<ProjectDto> }> {
    return { data: await this.projects.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('projects:write')
  @ApiOperation({
    operationId: 'deleteProject',
    summary: 'Delete a project that has no status pages and no monitors',
  })
  @RespondsWithNothing()
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.projects.delete(actor, id, expected);
  }
}
