// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import akka.actor.AbstractActor;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Props;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.SynchronousQueue;

/** Actors: messages run round a ring, and from one to many and back. */
public class Akka {
  /** Passes a number on to the next one in the ring until it is 0. */
  static final class Member extends AbstractActor {
    private ActorRef next;
    private long received;

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(ActorRef.class, r -> next = r)
          .match(Integer.class, this::pass)
          .match(String.class, s -> getSender().tell(received, getSelf()))
          .build();
    }

    private void pass(Integer number) {
      received++;
      if (number > 0) {
        next.tell(number - 1, getSelf());
      } else {
        DONE.tell(number, getSelf());
      }
    }
  }

  static final int MEMBERS = 100;
  static final int TOKENS = 20;
  static final SynchronousQueue<Long> RESULTS = new SynchronousQueue<>();
  static ActorRef DONE;

  /** Waits for all tokens, then asks all members. */
  static final class Referee extends AbstractActor {
    private final ActorRef[] members;
    private int tokens;
    private int answers;
    private long sum;

    Referee(ActorRef[] members) {
      this.members = members;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Integer.class, n -> arrived())
          .match(Long.class, this::answered)
          .build();
    }

    private void arrived() {
      if (++tokens == TOKENS) {
        tokens = 0;
        for (ActorRef member : members) {
          member.tell("how many?", getSelf());
        }
      }
    }

    private void answered(Long received) throws InterruptedException {
      sum += received;
      if (++answers == MEMBERS) {
        answers = 0;
        RESULTS.put(sum);
        sum = 0;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    ActorSystem system = ActorSystem.create("ring", ConfigFactory.load());
    ActorRef[] members = new ActorRef[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) {
      members[i] = system.actorOf(Props.create(Member.class, Member::new));
    }
    for (int i = 0; i < MEMBERS; i++) {
      members[i].tell(members[(i + 1) % MEMBERS], ActorRef.noSender());
    }
    DONE = system.actorOf(Props.create(Referee.class, () -> new Referee(members)));
    long[] before = {0};
    Steady.run(
        args,
        () -> {
          for (int i = 0; i < TOKENS; i++) {
            members[i * 5].tell(2000, ActorRef.noSender());
          }
          long all = RESULTS.take();
          long messages = all - before[0];
          before[0] = all;
          return messages;
        });
    system.terminate();
  }
}
