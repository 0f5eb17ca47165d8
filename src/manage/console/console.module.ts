import { Module } from '@nestjs/common';
import { CheckScreensModule } from '../checks/check-screens.module.js';
import { KeyScreensModule } from '../keys/key-screens.module.js';
import { ListScreensModule } from '../lists/list-screens.module.js';
import { LogScreensModule } from '../log/log-screens.module.js';
import { ManageModule } from '../manage.module.js';
import { MonitorScreensModule } from '../monitors/monitor-screens.module.js';
import { PageScreensModule } from '../pages/page-screens.module.js';
import { PasskeyScreensModule } from '../passkeys/passkey-screens.module.js';
import { SubscriberScreensModule } from '../subscribers/subscriber-screens.module.js';
import { DraftScreensModule } from '../drafts/draft-screens.module.js';
import { TemplateScreensModule } from '../templates/template-screens.module.js';
import { UnknownScreensModule } from '../unknown/unknown-screens.module.js';
import { WebhookScreensModule } from '../webhooks/webhook-screens.module.js';

/** The console for members. `CONSOLE=off` leaves it out. */
@Module({
  imports: [
    ManageModule,
    CheckScreensModule,
    KeyScreensModule,
    ListScreensModule,
    LogScreensModule,
    MonitorScreensModule,
    PageScreensModule,
    PasskeyScreensModule,
    SubscriberScreensModule,
    DraftScreensModule,
    TemplateScreensModule,
    WebhookScreensModule,
    UnknownScreensModule, // last: its routes match all paths
  ],
})
export class ConsoleModule {}
