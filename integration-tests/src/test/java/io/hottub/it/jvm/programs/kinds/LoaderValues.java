// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.Hashtable;
import java.util.logging.Level;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;

/** Objects of the application that the class library remembers for its class loader. */
public class LoaderValues extends Kind {
  private static class Own extends Level {
    private static final long serialVersionUID = 1;

    Own(String name) {
      super(name, 850);
    }
  }

  /** By its name, as a property of the context. */
  public static class Factory implements InitialContextFactory {
    private static int asked;

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
      return new InitialContext(true) {
        @Override
        public Object lookup(String name) {
          return name + ++asked;
        }
      };
    }
  }

  @SuppressWarnings("BanJNDI") // the factory is this one, and looks nowhere
  private static Object lookup() throws NamingException {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(Context.INITIAL_CONTEXT_FACTORY, Factory.class.getName());
    return new InitialContext(environment).lookup("name");
  }

  @Override
  protected void dirty() throws Exception {
    Level own = new Own("OWN");
    if (Level.parse("OWN") != own) {
      System.out.println("WRONG: " + Level.parse("OWN"));
    }
    lookup();
  }

  @Override
  protected void probe() {
    show("level", () -> Level.parse("OWN"));
    show("lookup", LoaderValues::lookup);
    show("own level", () -> new Own("ANOTHER") == Level.parse("ANOTHER"));
  }
}
