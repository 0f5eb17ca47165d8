import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsBasic, RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import { ExcludesDryRun } from '../../platform/dry-run/excludes-dry-run.js';
import { AcceptsIdempotencyKey } from '../../platform/idempotency/accepts-idempotency-key.js';
import { RespondsWithOne, RespondsWithProblems } from '../../platform/openapi/responses.js';
import { MAX_BODY_BYTES, parseJson, TakesFile } from '../../platform/validation/body.js';
import { BouncesService } from '../bounces.service.js';
import { BouncesResultDto } from './dto/bounces-result.dto.js';
import { isSns, readBounces } from './read-bounces.js';
import { SnsMessages } from './sns-messages.js';

@ApiTags('Receivers')
@Controller('v1/receivers/bounces')
export class BouncesController {
  constructor(
    private readonly sns: SnsMessages,
    private readonly bounces: BouncesService,
  ) {}

  @Post()
  @ExcludesDryRun('The operation can confirm a subscription of Amazon SNS')
  @HttpCode(200)
  @AcceptsBasic()
  @RequireScope('subscribers:write')
  @ApiOperation({
    operationId: 'receiveBounces',
    summary: 'Receive bounces and complaints about mail to subscribers',
    description:
      'Accepts `email`, `type` (`hard`, `soft`, `complaint` or `delivered`) and optionally `message_id`, messages of Amazon SES by Amazon SNS, and webhooks of Postmark and Mailgun. A hard bounce or a complaint suppresses the subscribers with this address, on all status pages that the actor can access. A soft bounce suppresses them if it is the second in a row on different days. Each message counts once. A delivery lifts what soft bounces have caused. Failures that the provider still retries, and automatic replies, do not count. The signature of Amazon SNS is verified, and a message that asks to confirm its subscription is confirmed. Events of other kinds and unknown addresses are ignored.',
  })
  @TakesFile(
    ['application/json', 'text/plain'],
    'Bounce or complaint. Amazon SNS sends its JSON as `text/plain`.',
    { email: 'ada@example.com', type: 'hard' },
    MAX_BODY_BYTES,
  )
  @RespondsWithOne(BouncesResultDto)
  @RespondsWithProblems('malformed_json')
  @AcceptsIdempotencyKey()
  async receive(
    @CurrentActor('receiver') actor: Actor,
    @Body() body: Uint8Array,
  ): Promise<{ data: BouncesResultDto }> {
    const payload = parseJson(body);
    const bounces = isSns(payload) ? await this.sns.read(payload) : readBounces(payload);
    return { data: await this.bounces.record(actor, bounces) };
  }
}
