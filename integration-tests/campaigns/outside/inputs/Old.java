/** For a compiler that knows Java up to 11. */
public class Old {
  private final int[] values = new int[10];

  int sum() {
    int sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[i];
    }
    return sum;
  }

  public static void main(String[] args) {
    System.out.println(new Old().sum());
  }
}
