import { Module } from '@nestjs/common';
import { SubscribersModule } from '../subscribers.module.js';
import { BouncesController } from './bounces.controller.js';
import { SnsHttp } from './sns-http.js';
import { SnsMessages } from './sns-messages.js';

@Module({
  imports: [SubscribersModule],
  controllers: [BouncesController],
  providers: [SnsHttp, SnsMessages],
})
export class BouncesModule {}
