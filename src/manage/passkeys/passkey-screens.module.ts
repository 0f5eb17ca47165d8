import { Module } from '@nestjs/common';
import { ManageModule } from '../manage.module.js';
import { PasskeySignInController } from './passkey-sign-in.controller.js';
import { PasskeyScreensController } from './passkeys.controller.js';

/** Passkeys in the member's own screen, and in the screen to sign in. */
@Module({
  imports: [ManageModule],
  controllers: [PasskeyScreensController, PasskeySignInController],
})
export class PasskeyScreensModule {}
