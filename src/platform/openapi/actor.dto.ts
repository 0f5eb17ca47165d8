import { ApiSchema } from '@nestjs/swagger';
import { NullableId } from './response-fields.js';
import { EXAMPLE_IDS } from './example-ids.js';
import { Choice, Text } from '../validation/fields.js';
import { type Actor, ACTOR_TYPES, type ActorType } from '../auth/actor.js';

/** Author of a write in a response. */
@ApiSchema({ name: 'Actor' })
export class ActorDto implements Pick<Actor, 'type' | 'id' | 'name'> {
  @Choice({
    of: ACTOR_TYPES,
    description:
      'Kind of the actor. `member`: a person of the organization. `command_line`: a command on the server. `system`: the service itself.',
    example: 'api_key',
  })
  type!: ActorType;

  @NullableId('ID of the API key or member; null: another kind of actor.', EXAMPLE_IDS.api_key)
  id!: string | null;

  @Text({
    min: 1,
    max: 200,
    description: 'Name of the actor when it made the change. An actor that has been deleted keeps it.',
    example: 'CI',
  })
  name!: string;
}
