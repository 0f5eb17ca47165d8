import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { RespondsWithList } from '../platform/openapi/responses.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { EventDto, ListEventsQuery } from './dto/event.dto.js';
import { EventsService } from './events.service.js';

@ApiTags('Events')
@Controller('v1/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @RequireScope('events:read')
  @ApiOperation({ operationId: 'listEvents', summary: 'List events, newest first' })
  @RespondsWithList(EventDto)
  async list(@CurrentActor() actor: Actor, @Query() query: ListEventsQuery): Promise<ListPage<EventDto>> {
    return this.events.list(actor, query);
  }
}
