// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.timeline.TimelineEntity;
import org.apache.hadoop.yarn.api.records.timeline.TimelineEvent;
import org.apache.hadoop.yarn.client.api.TimelineClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.tez.dag.history.DAGHistoryEvent;
import org.apache.tez.dag.history.logging.HistoryLoggingService;
import org.apache.tez.dag.history.logging.impl.HistoryEventJsonConversion;
import org.codehaus.jettison.json.JSONArray;
import org.codehaus.jettison.json.JSONException;
import org.codehaus.jettison.json.JSONObject;

/**
 * Writes what Tez's history says to YARN's timeline server. Tez has such a service in a jar of its
 * own (tez-yarn-timeline-history), which the registry that the build uses has not.
 */
public final class TimelineHistory extends HistoryLoggingService {
  private final TimelineClient client = TimelineClient.createTimelineClient();
  private final ExecutorService writer = Executors.newSingleThreadExecutor();

  public TimelineHistory() {
    super("TimelineHistory");
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    client.init(conf);
    super.serviceInit(conf);
  }

  @Override
  protected void serviceStart() throws Exception {
    client.start();
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    writer.shutdown();
    writer.awaitTermination(1, TimeUnit.MINUTES);
    client.stop();
    super.serviceStop();
  }

  @Override
  public void handle(DAGHistoryEvent event) {
    writer.execute(() -> write(event));
  }

  private void write(DAGHistoryEvent event) {
    try {
      client.putEntities(entity(HistoryEventJsonConversion.convertToJson(event.getHistoryEvent())));
    } catch (IOException | YarnException | JSONException e) {
      throw new IllegalStateException(e);
    }
  }

  private TimelineEntity entity(JSONObject json) throws JSONException {
    TimelineEntity entity = new TimelineEntity();
    entity.setEntityType(json.getString("entitytype"));
    entity.setEntityId(json.getString("entity"));
    entity.setStartTime(System.currentTimeMillis());
    entity.addPrimaryFilter("applicationId", appContext.getApplicationID().toString());
    JSONArray events = json.optJSONArray("events");
    for (int i = 0; events != null && i < events.length(); i++) {
      TimelineEvent event = new TimelineEvent();
      event.setEventType(events.getJSONObject(i).getString("eventtype"));
      event.setTimestamp(events.getJSONObject(i).getLong("ts"));
      entity.addEvent(event);
    }
    JSONObject info = json.optJSONObject("otherinfo");
    for (Iterator<?> names = info == null ? new JSONObject().keys() : info.keys();
        names.hasNext(); ) {
      String name = (String) names.next();
      entity.addOtherInfo(name, info.getString(name));
    }
    return entity;
  }
}
